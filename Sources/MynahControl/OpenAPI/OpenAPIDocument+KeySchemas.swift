extension OpenAPIDocument {
    static let keySchemas = #"""
              "NewKey": {
                "type": "object",
                "additionalProperties": false,
                "properties": {
                  "keyId": {"type": ["string", "null"], "pattern": "^[0-9A-Za-z]{10}$", "description": "Made, where none is given."},
                  "team": {"type": ["string", "null"], "pattern": "^[0-9A-Za-z]{10}$", "description": "The team of the server's own key, where none is given."},
                  "publicKey": {"type": ["string", "null"], "description": "PUBLIC KEY in PEM, on P-256; instead of privateKey."},
                  "privateKey": {"type": ["string", "null"], "description": "PRIVATE KEY (PKCS #8) in PEM, on P-256; instead of publicKey."},
                  "environment": {"enum": ["sandbox", "production", "both", null], "default": "both", "description": "A topic-specific key is for one."},
                  "topics": {"type": ["array", "null"], "minItems": 1, "maxItems": 400, "items": {"type": "string", "minLength": 1, "maxLength": 255}, "description": "null: a key of the whole team. A bundle id covers its suffixed topics."},
                  "related": {"type": ["string", "null"], "description": "The one topic-specific key of the same team and environment that may share a connection with it."},
                  "revokedAt": {"type": ["string", "null"], "format": "date-time"},
                  "hasPrivateKey": {"type": ["boolean", "null"], "description": "Ignored, so that what was answered can be sent."}
                }
              },
              "Key": {
                "type": "object",
                "required": ["keyId", "team", "publicKey", "environment", "topics", "related", "revokedAt", "hasPrivateKey"],
                "properties": {
                  "keyId": {"type": "string"},
                  "team": {"type": "string"},
                  "publicKey": {"type": "string", "description": "PEM."},
                  "environment": {"enum": ["sandbox", "production", "both"]},
                  "topics": {"type": ["array", "null"], "items": {"type": "string"}},
                  "related": {"type": ["string", "null"]},
                  "revokedAt": {"type": ["string", "null"], "format": "date-time"},
                  "hasPrivateKey": {"type": "boolean", "description": "Whether the server has the private half, which it does not tell."}
                }
              },
              "AddedKey": {
                "allOf": [
                  {"$ref": "#/components/schemas/Key"},
                  {"type": "object", "properties": {"privateKey": {"type": "string", "description": "PKCS #8 in PEM, where the server made the key; told once."}}}
                ]
              },
              "KeyList": {
                "type": "object",
                "required": ["items"],
                "properties": {"items": {"type": "array", "items": {"$ref": "#/components/schemas/Key"}}}
              }
        """#
}
