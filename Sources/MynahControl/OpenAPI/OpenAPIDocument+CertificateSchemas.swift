internal import APNsRules
internal import Mynah
internal import MynahCore

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
              "CertificateOrder": \#(CertificateOrder.schema.openAPI.encodedText),
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
