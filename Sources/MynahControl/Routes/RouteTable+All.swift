extension RouteTable {
    /// Every route of the API.
    static let all: RouteTable = RouteTable(
        routes: [
            ProbeRoutes.routes, PageRoutes.routes, NotificationRoutes.routes, ExpectationRoutes.routes,
            DeviceRoutes.routes, RegistrationRoutes.routes, InboxRoutes.routes, DeviceStreamRoutes.routes,
            ScreenRoutes.routes, ScopeRoutes.routes, ClockRoutes.routes, CertificateRoutes.routes, KeyRoutes.routes,
            ConnectionRoutes.routes, EventRoutes.routes, FaultRoutes.routes, MagicTokenRoutes.routes,
            ScenarioRoutes.routes, ResetRoutes.routes, StatusRoutes.routes, CredentialRoutes.routes,
            MetricsRoutes.routes, OpenAPIRoutes.routes,
        ].flatMap(\.self))
}
