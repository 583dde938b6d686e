// swift-tools-version:6.2
import PackageDescription

/// Settings of every target.
///
/// Warnings are errors here only: a package that depends on this one builds it without them.
let base: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .treatAllWarnings(as: .error),
]

/// Targets that decide and do no I/O: no unsafe expression compiles in them.
let pure: [SwiftSetting] = base + [.strictMemorySafety()]

/// Tests, which are compiled in a fraction of the time and run hardly slower when only what they test is optimized.
///
/// Nothing waits for their modules, so no job of its own checks their types once more to write those first.
let tests: [SwiftSetting] =
    base + [
        .unsafeFlags(["-Onone", "-no-emit-module-separately-wmo"], .when(configuration: .release))
    ]

let package = Package(
    name: "mynah",
    platforms: [.macOS(.v26)],
    products: [
        .library(name: "Mynah", targets: ["Mynah"]),
        .library(name: "MynahTesting", targets: ["MynahTesting"]),
        .library(name: "MynahControl", targets: ["MynahControl"]),
        .library(name: "MynahClient", targets: ["MynahClient"]),
        .executable(name: "mynah", targets: ["MynahCLI"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-nio.git", from: "2.101.0"),
        .package(url: "https://github.com/apple/swift-nio-extras.git", from: "1.30.0"),
        .package(url: "https://github.com/apple/swift-log.git", from: "1.14.0"),
        .package(url: "https://github.com/apple/swift-http-types.git", from: "1.8.0", traits: []),
        .package(url: "https://github.com/apple/swift-argument-parser.git", from: "1.8.0"),
        .package(url: "https://github.com/hummingbird-project/hummingbird.git", from: "2.28.0", traits: []),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle.git", from: "2.13.0"),
    ],
    targets: [
        .systemLibrary(
            name: "CNghttp2", pkgConfig: "libnghttp2", providers: [.apt(["libnghttp2-dev"]), .brew(["libnghttp2"])]
        ),
        .systemLibrary(
            name: "COpenSSL", pkgConfig: "openssl", providers: [.apt(["libssl-dev"]), .brew(["openssl@3"])]
        ),
        .systemLibrary(
            name: "CLibYAML", pkgConfig: "yaml-0.1", providers: [.apt(["libyaml-dev"]), .brew(["libyaml"])]
        ),
        .systemLibrary(
            name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"]), .brew(["sqlite"])]
        ),
        .systemLibrary(name: "CMalloc"),
        .target(name: "CChecksum"),
        .target(name: "CChildProcess"),
        .target(name: "CNATS", linkerSettings: [.linkedLibrary("dl", .when(platforms: [.linux]))]),
        .target(name: "MynahSystem", swiftSettings: base),

        .target(name: "APNsRules", swiftSettings: pure),
        .target(name: "MynahCore", dependencies: ["APNsRules"], swiftSettings: pure, plugins: ["EmbedFiles"]),
        .target(
            name: "MynahComparison", dependencies: ["APNsRules", "MynahCore"], swiftSettings: pure,
            plugins: ["EmbedFiles"]
        ),
        .target(
            name: "MynahStore",
            dependencies: ["APNsRules", "CChecksum", "CNATS", "CSQLite", "MynahCore", "MynahSystem"],
            swiftSettings: base
        ),
        .target(name: "MynahTrust", dependencies: ["APNsRules", "COpenSSL", "MynahSystem"], swiftSettings: base),
        .target(
            name: "MynahWire",
            dependencies: [
                "APNsRules", "CNghttp2", "COpenSSL", "MynahSystem",
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
            ],
            swiftSettings: base
        ),
        .target(
            name: "Mynah",
            dependencies: [
                "APNsRules", "CMalloc", "MynahCore", "MynahStore", "MynahSystem", "MynahTrust", "MynahWire",
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "Logging", package: "swift-log"),
            ],
            swiftSettings: base
        ),
        .target(
            name: "MynahTesting", dependencies: ["Mynah", "MynahStore", "MynahSystem", "APNsRules"],
            swiftSettings: base),
        .target(
            name: "MynahControl",
            dependencies: [
                "Mynah", "MynahCore", "MynahSystem", "APNsRules",
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOHTTPTypes", package: "swift-nio-extras"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
                .product(name: "Logging", package: "swift-log"),
            ],
            swiftSettings: base,
            plugins: ["EmbedFiles"]
        ),
        .target(name: "MynahYAML", dependencies: ["CLibYAML"], swiftSettings: base),
        .executableTarget(name: "FileEmbedder", dependencies: ["MynahYAML"], swiftSettings: base),
        .plugin(
            name: "EmbedFiles", capability: .buildTool(), dependencies: ["FileEmbedder"], path: "Sources/EmbedFiles",
            exclude: ["folders.json"]
        ),
        .target(
            name: "MynahClient",
            dependencies: [
                "APNsRules", "MynahSystem", "MynahWire",
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
            ],
            swiftSettings: base
        ),
        .executableTarget(
            name: "MynahCLI",
            dependencies: [
                "APNsRules", "CChildProcess", "MynahCore", "MynahComparison", "MynahStore", "MynahSystem", "MynahTrust",
                "MynahYAML",
                "MynahWire", "Mynah", "MynahControl", "MynahClient",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
                .product(name: "UnixSignals", package: "swift-service-lifecycle"),
            ],
            swiftSettings: base
        ),

        .target(
            name: "MynahTestSupport",
            dependencies: [
                "APNsRules", "MynahClient", "MynahComparison", "MynahCore",
                .product(name: "Logging", package: "swift-log"),
            ],
            path: "Tests/Support",
            swiftSettings: tests
        ),
        .testTarget(
            name: "APNsRulesTests", dependencies: ["APNsRules", "MynahComparison", "MynahCore", "MynahTestSupport"],
            swiftSettings: tests
        ),
        .testTarget(
            name: "MynahCoreTests", dependencies: ["MynahCore", "APNsRules"], path: "Tests/MynahCoreTests",
            swiftSettings: tests
        ),
        .testTarget(
            name: "MynahClientTests",
            dependencies: [
                "APNsRules", "MynahClient", "MynahTestSupport",
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
            ],
            swiftSettings: tests
        ),
        .testTarget(
            name: "MynahCLITests",
            dependencies: [
                "APNsRules", "MynahComparison", "MynahCore", "MynahTrust", "MynahWire", "MynahYAML", "Mynah",
                "MynahControl", "MynahClient", "MynahCLI", "MynahSystem", "MynahTestSupport",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "Logging", package: "swift-log"),
            ],
            exclude: ["Snapshots"],
            swiftSettings: tests
        ),
        .testTarget(
            name: "MynahComparisonTests", dependencies: ["APNsRules", "MynahClient", "MynahComparison", "MynahCore"],
            exclude: ["classification.txt"],
            swiftSettings: tests
        ),
        .testTarget(
            name: "MynahStoreTests", dependencies: ["APNsRules", "CSQLite", "MynahCore", "MynahStore", "MynahSystem"],
            swiftSettings: tests
        ),
        .testTarget(name: "MynahTrustTests", dependencies: ["MynahTrust", "APNsRules"], swiftSettings: tests),
        .testTarget(
            name: "MynahTests",
            dependencies: [
                "APNsRules", "CNghttp2", "CSQLite", "MynahComparison", "MynahCore", "MynahStore", "MynahTrust",
                "MynahWire", "Mynah",
                "MynahTestSupport",
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOEmbedded", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
            ],
            swiftSettings: tests
        ),
        .testTarget(
            name: "MynahWireTests",
            dependencies: [
                "APNsRules", "MynahTrust", "MynahWire", "CNghttp2", "COpenSSL",
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOEmbedded", package: "swift-nio"),
            ],
            swiftSettings: tests
        ),
        .testTarget(
            name: "MynahTestingTests",
            dependencies: [
                "APNsRules", "MynahCore", "Mynah", "MynahClient", "MynahControl", "MynahStore", "MynahTestSupport",
                "MynahTesting",
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
            ],
            swiftSettings: tests
        ),
        .testTarget(name: "RepositoryTests", swiftSettings: tests),
        .testTarget(
            name: "MynahControlTests",
            dependencies: [
                "APNsRules", "MynahCore", "Mynah", "MynahControl", "MynahTestSupport",
                .product(name: "Logging", package: "swift-log"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
            ],
            swiftSettings: tests
        ),
    ]
)
