extension OpenAPIDocument {
    static let devicePaths = #"""
            "/v1/devices": {
              "get": {
                "operationId": "listDevices",
                "summary": "The simulated devices, by id",
                "description": "A filter again is any of; different filters are all of.",
                "parameters": [
                  {"$ref": "#/components/parameters/deviceFilters"},
                  {"name": "limit", "in": "query", "description": "Items of a page.", "schema": {"type": "integer", "minimum": 1, "maximum": 1000, "default": 100}},
                  {"name": "after", "in": "query", "description": "Only devices whose id comes after this one.", "schema": {"type": "string"}},
                  {"name": "cursor", "in": "query", "description": "nextCursor of the page before, with the same filters.", "schema": {"type": "string"}}
                ],
                "responses": {
                  "200": {"description": "A page.", "content": {"application/json": {"schema": {"$ref": "#/components/schemas/DevicePage"}}, "application/x-ndjson": {"schema": {"$ref": "#/components/schemas/Device"}}}}
                }
              },
              "post": {
                "operationId": "addDevice",
                "summary": "Makes a device with its apps, or with count a fleet",
                "description": "Without an id one is made. With count the ids are <id>-00001 and on, and the answer is a list; of a fleet of more than 1000 it has the first page, and nextCursor leads to the rest in GET /v1/devices.",
                "requestBody": {"required": true, "content": {"application/json": {"schema": {"$ref": "#/components/schemas/NewDevice"}}}},
                "responses": {
                  "201": {"description": "The device, tokens included; or a list of devices.", "headers": {"Location": {"schema": {"type": "string"}}}, "content": {"application/json": {"schema": {"oneOf": [{"$ref": "#/components/schemas/Device"}, {"$ref": "#/components/schemas/DevicePage"}]}}}},
                  "problems": [409]
                }
              },
              "delete": {
                "operationId": "deleteDevices",
                "summary": "Removes the devices that match, all without a filter",
                "parameters": [{"$ref": "#/components/parameters/deviceFilters"}],
                "responses": {
                  "200": {"description": "What was removed.", "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Removed"}}}}
                }
              }
            },
            "/v1/devices/{id}": {
              "get": {
                "operationId": "getDevice",
                "summary": "One device",
                "parameters": [{"$ref": "#/components/parameters/device"}],
                "responses": {
                  "200": {"description": "The device.", "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Device"}}}},
                  "problems": [404]
                }
              },
              "put": {
                "operationId": "putDevice",
                "summary": "Makes a device, or replaces the one with this id",
                "parameters": [{"$ref": "#/components/parameters/device"}],
                "requestBody": {"required": false, "content": {"application/json": {"schema": {"$ref": "#/components/schemas/NewDevice"}}}},
                "responses": {
                  "200": {"description": "The device, replaced.", "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Device"}}}},
                  "201": {"description": "The device, made.", "headers": {"Location": {"schema": {"type": "string"}}}, "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Device"}}}},
                  "problems": [409]
                }
              },
              "patch": {
                "operationId": "changeDevice",
                "summary": "Changes a device; coming online delivers what is stored before the call answers",
                "parameters": [{"$ref": "#/components/parameters/device"}],
                "requestBody": {"required": true, "content": {"application/json": {"schema": {"$ref": "#/components/schemas/DeviceChange"}}}},
                "responses": {
                  "200": {"description": "The device.", "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Device"}}}},
                  "problems": [404]
                }
              },
              "delete": {
                "operationId": "deleteDevice",
                "summary": "Removes a device; what waits for it is discarded, its tokens are not known any more",
                "parameters": [{"$ref": "#/components/parameters/device"}],
                "responses": {
                  "200": {"description": "What was removed.", "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Removed"}}}},
                  "problems": [404]
                }
              }
            },
            "/v1/devices/{id}/registrations": {
              "get": {
                "operationId": "listRegistrations",
                "summary": "The apps of a device, oldest first, those with dead tokens too",
                "parameters": [{"$ref": "#/components/parameters/device"}],
                "responses": {
                  "200": {"description": "The apps.", "content": {"application/json": {"schema": {"type": "object", "required": ["items"], "properties": {"items": {"type": "array", "items": {"$ref": "#/components/schemas/Registration"}}}}}}},
                  "problems": [404]
                }
              },
              "post": {
                "operationId": "registerApp",
                "summary": "Installs an app, launches it, or lets it register again",
                "description": "An app that is there keeps its token, unless rotate says what happened to it. Without network there is no token until there is one.",
                "parameters": [{"$ref": "#/components/parameters/device"}],
                "requestBody": {"required": true, "content": {"application/json": {"schema": {"$ref": "#/components/schemas/NewRegistration"}}}},
                "responses": {
                  "200": {"description": "The app was there.", "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Registration"}}}},
                  "201": {"description": "The app, new or with a new token.", "headers": {"Location": {"schema": {"type": "string"}}}, "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Registration"}}}},
                  "problems": [404, 409]
                }
              }
            },
            "/v1/devices/{id}/registrations/{topic}": {
              "get": {
                "operationId": "getRegistration",
                "summary": "One app of a device",
                "parameters": [{"$ref": "#/components/parameters/device"}, {"$ref": "#/components/parameters/topic"}, {"$ref": "#/components/parameters/appEnvironment"}],
                "responses": {
                  "200": {"description": "The app.", "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Registration"}}}},
                  "problems": [404]
                }
              },
              "patch": {
                "operationId": "changeRegistration",
                "summary": "Changes what an app does and may do",
                "parameters": [{"$ref": "#/components/parameters/device"}, {"$ref": "#/components/parameters/topic"}, {"$ref": "#/components/parameters/appEnvironment"}],
                "requestBody": {"required": true, "content": {"application/json": {"schema": {"$ref": "#/components/schemas/AppSettings", "unevaluatedProperties": false}}}},
                "responses": {
                  "200": {"description": "The app.", "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Registration"}}}},
                  "problems": [404]
                }
              },
              "delete": {
                "operationId": "uninstallApp",
                "summary": "Uninstalls an app: its token answers 410 once APNs notices",
                "parameters": [{"$ref": "#/components/parameters/device"}, {"$ref": "#/components/parameters/topic"}, {"$ref": "#/components/parameters/appEnvironment"}],
                "responses": {
                  "200": {"description": "The app as it was left.", "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Registration"}}}},
                  "problems": [404]
                }
              }
            }
        """#
}
