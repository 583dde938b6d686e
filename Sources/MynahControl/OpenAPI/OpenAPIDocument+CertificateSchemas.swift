extension OpenAPIDocument {
    static let certificatePaths = #"""
            "/v1/certificates": {
              "get": {
                "operationId": "listCertificates",
                "summary": "Provider certificates that this server's CA issued",
                "description": "The oldest first, revoked ones too, those that mynah certs provider made in the same state folder included.",
                "responses": {
                  "200": {
                    "description": "All of them.",
                    "content": {
                      "application/json": {"schema": {"type": "object", "required": ["items"], "properties": {"items": {"type": "array", "items": {"$ref": "#/components/schemas/Certificate"}}}}},
                      "application/x-ndjson": {"schema": {"$ref": "#/components/schemas/Certificate"}}
                    }
                  }
                }
              },
              "post": {
                "operationId": "issueCertificate",
                "summary": "Issues a provider certificate",
                "description": "It is believed at once. Its key is in this answer and nowhere else. CAs of your own are given by --provider-ca, not here.",
                "requestBody": {"required": true, "content": {"application/json": {"schema": {"$ref": "#/components/schemas/CertificateOrder"}}}},
                "responses": {
                  "201": {"description": "The certificate and its key.", "content": {"application/json": {"schema": {"$ref": "#/components/schemas/IssuedCertificate"}}}}
                }
              }
            },
            "/v1/certificates/{serialNumber}": {
              "get": {
                "operationId": "getCertificate",
                "summary": "One provider certificate",
                "parameters": [
                  {"name": "serialNumber", "in": "path", "required": true, "description": "Hexadecimal digits; lower case and colons are fine.", "schema": {"type": "string"}}
                ],
                "responses": {
                  "200": {"description": "The certificate.", "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Certificate"}}}},
                  "problems": [404]
                }
              },
              "delete": {
                "operationId": "revokeCertificate",
                "summary": "Revokes a provider certificate",
                "description": "When it has answered, new handshakes with the certificate fail with the alert certificate_revoked, and every push on connections that are open with it is refused with BadCertificate. It stays in the list. Revoking it again changes nothing. A second server on the same state folder learns of it when it starts or lists its certificates; mynah certs revoke tells every server of the folder.",
                "parameters": [
                  {"name": "serialNumber", "in": "path", "required": true, "description": "Hexadecimal digits; lower case and colons are fine.", "schema": {"type": "string"}}
                ],
                "responses": {
                  "200": {"description": "The certificate, with revokedAt.", "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Certificate"}}}},
                  "problems": [404]
                }
              }
            }
        """#

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
