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
                  "topics": {"type": "array", "minItems": 1, "maxItems": 32, "items": {"type": "string", "pattern": "^[A-Za-z0-9.-]{1,255}$"}, "description": "The app's bundle id first."},
                  "voip": {"type": ["boolean", "null"], "default": false, "description": "The app's VoIP topic too."},
                  "complication": {"type": ["boolean", "null"], "default": false, "description": "The app's complication topic too."},
                  "environment": {"enum": ["sandbox", "production", "both", null], "default": "both"},
                  "days": {"type": ["integer", "null"], "minimum": 1, "maximum": 3600, "default": 398, "description": "For how many days it is good."},
                  "expired": {"type": ["boolean", "null"], "default": false, "description": "Its time is over already."},
                  "password": {"type": ["string", "null"], "minLength": 1, "default": "mynah", "description": "What pkcs12 is encrypted with."}
                }
              },
              "IssuedCertificate": {
                "allOf": [{"$ref": "#/components/schemas/Certificate"}],
                "type": "object",
                "required": ["authority", "privateKey", "pkcs12", "password"],
                "properties": {
                  "authority": {"type": "string", "description": "The CA's certificate, PEM."},
                  "privateKey": {"type": "string", "description": "PKCS #8 in PEM; handed out this once."},
                  "pkcs12": {"type": "string", "contentEncoding": "base64", "description": "Certificate, key and CA."},
                  "password": {"type": "string"}
                }
              }
        """#
}
