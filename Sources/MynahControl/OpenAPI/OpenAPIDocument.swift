internal import APNsRules

/// The description of this API in OpenAPI 3.1, written by hand.
///
/// Tests compare its paths with the routes, and every answer that they see with what stands here.
enum OpenAPIDocument {
    /// The document as JSON.
    static let text: String = {
        do {
            return withProblems(try JSONValue(parsing: source)).encodedText
        } catch {
            preconditionFailure("the description in the source is no JSON: \(error)")
        }
    }()

    private static var source: String {
        """
        {
          "openapi": "3.1.0",
          "info": {
            "title": "Mynah control API",
            "version": "\(MynahVersion.current)",
            "description": "\(description)"
          },
          "servers": [{"url": "/"}],
          "security": [{}, {"token": []}],
          "paths": {
        \(probePaths),
        \(pagePaths),
        \(notificationPaths),
        \(devicePaths),
        \(arrivalPaths),
        \(certificatePaths),
        \(keyPaths),
        \(connectionPaths),
        \(eventPaths),
        \(faultPaths),
        \(otherPaths)
          },
          "components": {
            "securitySchemes": {
              "token": {"type": "http", "scheme": "bearer", "description": "Needed when the server has --control-token."}
            },
            "responses": \(problemResponses.encodedText),
            "parameters": \(parameters),
            "schemas": {
        \(pushSchemas),
        \(deviceSchemas),
        \(appSchemas),
        \(certificateSchemas),
        \(keySchemas),
        \(connectionSchemas),
        \(eventSchemas),
        \(faultSchemas),
        \(otherSchemas)
            }
          }
        }
        """
    }

    private static let description = """
        What a test asks a running Mynah. Times are RFC 3339 in UTC with milliseconds, durations strings with a unit \
        (250ms, 5s, 1h30m), tokens lower-case hex. Unknown parameters and fields are errors. Every error is a problem \
        document. Calls from a browser need an Origin of this server or one of --cors-origin, and all calls a Host that \
        is an address, a name without a dot, a private name, or one of --tls-name and --allowed-host; else 403.
        """
}
