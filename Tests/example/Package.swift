// swift-tools-version:6.2
import PackageDescription

/// A provider and its tests: how a package depends on Mynah.
let package = Package(
    name: "newsletter",
    platforms: [.macOS(.v26)],
    dependencies: [
        .package(name: "mynah", path: "../..")
    ],
    targets: [
        .target(
            name: "Newsletter",
            // Stands where a provider's own HTTP/2 client stands.
            dependencies: [.product(name: "MynahClient", package: "mynah")]
        ),
        .testTarget(
            name: "NewsletterTests",
            dependencies: [
                "Newsletter",
                .product(name: "Mynah", package: "mynah"),
                .product(name: "MynahTesting", package: "mynah"),
            ]
        ),
        .testTarget(
            name: "ContainerTests",
            dependencies: [
                "Newsletter",
                .product(name: "MynahClient", package: "mynah"),
                // Start a server in place of the container, and sign provider tokens.
                .product(name: "Mynah", package: "mynah"),
                .product(name: "MynahControl", package: "mynah"),
            ]
        ),
    ]
)
