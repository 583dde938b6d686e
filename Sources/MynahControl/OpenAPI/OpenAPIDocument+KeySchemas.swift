extension OpenAPIDocument {
    static let keyPaths = #"""
            "/v1/keys": {
              "get": {
                "operationId": "listKeys",
                "summary": "The signing keys whose provider tokens are accepted, revoked ones too",
                "responses": {
                  "200": {
                    "description": "All keys, by id.",
                    "content": {
                      "application/json": {"schema": {"$ref": "#/components/schemas/KeyList"}},
                      "application/x-ndjson": {"schema": {"$ref": "#/components/schemas/Key"}}
                    }
                  }
                }
              },
              "post": {
                "operationId": "addKey",
                "summary": "Makes a key known",
                "description": "Without publicKey and privateKey a pair is made, and its private half answered once. Without topics it is a key of the whole team. Of two related keys either may name the other.",
                "requestBody": {"required": false, "content": {"application/json": {"schema": {"$ref": "#/components/schemas/NewKey"}}}},
                "responses": {
                  "201": {"description": "The key.", "headers": {"Location": {"schema": {"type": "string"}}}, "content": {"application/json": {"schema": {"$ref": "#/components/schemas/AddedKey"}}}},
                  "problems": [409]
                }
              }
            },
            "/v1/keys/{keyId}": {
              "get": {
                "operationId": "getKey",
                "summary": "One key",
                "parameters": [{"$ref": "#/components/parameters/keyId"}],
                "responses": {
                  "200": {"description": "The key.", "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Key"}}}},
                  "problems": [404]
                }
              },
              "put": {
                "operationId": "putKey",
                "summary": "Creates a key, or replaces what it may be used for",
                "description": "environment, topics, related and revokedAt count anew; a key that is known keeps its team and its own key where none are given. An open connection goes on with the topics that its first push saw, without those taken away.",
                "parameters": [{"$ref": "#/components/parameters/keyId"}],
                "requestBody": {"required": false, "content": {"application/json": {"schema": {"$ref": "#/components/schemas/NewKey"}}}},
                "responses": {
                  "200": {"description": "The key, replaced.", "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Key"}}}},
                  "201": {"description": "The key, created.", "headers": {"Location": {"schema": {"type": "string"}}}, "content": {"application/json": {"schema": {"$ref": "#/components/schemas/AddedKey"}}}}
                }
              },
              "delete": {
                "operationId": "revokeKey",
                "summary": "Revokes a key",
                "description": "It stays in the list. Its tokens are answered Forbidden on connections that used it, InvalidProviderToken on others.",
                "parameters": [{"$ref": "#/components/parameters/keyId"}],
                "responses": {
                  "200": {"description": "The key, with revokedAt.", "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Key"}}}},
                  "problems": [404]
                }
              }
            }
        """#

    static let keyParameter = #"""
              "keyId": {
                "name": "keyId", "in": "path", "required": true, "description": "The key's id, 10 letters or digits.",
                "schema": {"type": "string"}
              }
        """#

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
