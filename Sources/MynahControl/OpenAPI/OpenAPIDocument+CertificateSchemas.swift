extension OpenAPIDocument {
    static let certificateSchemas = #"""
              "Certificate": {
                "type": "object",
                "required": ["serialNumber", "subject", "topics", "environment", "notBefore", "notAfter", "issuedAt", "revokedAt", "certificate"],
                "properties": {
                  "serialNumber": {"type": "string", "description": "Capital hexadecimal digits."},
                  "subject": {"type": "string", "description": "RFC 4514."},
                  "topics": {
                    "type": "array",
                    "items": {"type": "object", "required": ["topic", "kind"], "properties": {"topic": {"type": "string"}, "kind": {"type": "string", "examples": ["app", "voip", "complication"]}}}
                  },
                  "environment": {"enum": ["sandbox", "production", "both"]},
                  "notBefore": {"type": "string", "format": "date-time"},
                  "notAfter": {"type": "string", "format": "date-time"},
                  "issuedAt": {"type": "string", "format": "date-time"},
                  "revokedAt": {"type": ["string", "null"], "format": "date-time"},
                  "certificate": {"type": "string", "description": "PEM."}
                }
              },
              "CertificateOrder": {
                "type": "object",
                "additionalProperties": false,
                "required": ["topics"],
                "properties": {
                  "topics": {"type": "array", "minItems": 1, "maxItems": 32, "items": {"type": "string", "pattern": "^[A-Za-z0-9.-]{1,255}$"}, "description": "The app's bundle ID comes first."},
                  "voip": {"type": ["boolean", "null"], "default": false, "description": "Whether the app's VoIP topic is included."},
                  "complication": {"type": ["boolean", "null"], "default": false, "description": "Whether the app's complication topic is included."},
                  "environment": {"enum": ["sandbox", "production", "both", null], "default": "both"},
                  "days": {"type": ["integer", "null"], "minimum": 1, "maximum": 3600, "default": 398, "description": "For how many days it is valid."},
                  "expired": {"type": ["boolean", "null"], "default": false, "description": "Whether it is issued already expired."},
                  "password": {"type": ["string", "null"], "minLength": 1, "default": "mynah", "description": "The password of pkcs12."}
                }
              },
              "IssuedCertificate": {
                "allOf": [{"$ref": "#/components/schemas/Certificate"}],
                "type": "object",
                "required": ["authority", "privateKey", "pkcs12", "password"],
                "properties": {
                  "authority": {"type": "string", "description": "The CA's certificate, PEM."},
                  "privateKey": {"type": "string", "description": "PKCS #8 in PEM; returned only here."},
                  "pkcs12": {"type": "string", "contentEncoding": "base64", "description": "Certificate, key and CA."},
                  "password": {"type": "string"}
                }
              }
        """#
}
