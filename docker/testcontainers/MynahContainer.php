<?php

declare(strict_types=1);

use Mynah\Mynah;
use Mynah\Server;
use Testcontainers\Container\GenericContainer;
use Testcontainers\Container\StartedGenericContainer;
use Testcontainers\Wait\WaitForHttp;

/**
 * Mynah in a container for tests in PHP, with Mynah's package for PHP (Sources/php).
 *
 *     $container = MynahContainer::start('mynah', ['MYNAH_DEVICES' => 'strict']);
 *     $server = $container->server();
 *     // …
 *     $server->scope('news')->expect(topic: 'com.example.app');
 *     $container->stop();
 */
final class MynahContainer
{
    private const APNS_PORT = 2197;
    private const CONTROL_PORT = 8197;

    private function __construct(private StartedGenericContainer $container, private ?string $token)
    {
    }

    /**
     * Starts a server of its own.
     *
     * @param array<string, string> $environment Flags of `mynah serve` as `MYNAH_…`.
     */
    public static function start(string $image = 'mynah', array $environment = []): self
    {
        $container = (new GenericContainer($image))
            ->withExposedPorts(self::APNS_PORT, self::CONTROL_PORT)
            ->withEnvironment($environment)
            // 503 until the fixtures are loaded.
            ->withWait((new WaitForHttp(self::CONTROL_PORT))->withPath('/readyz')->withExpectedStatusCode(200))
            ->start();
        return new self($container, $environment['MYNAH_CONTROL_TOKEN'] ?? null);
    }

    /** The server. */
    public function server(): Server
    {
        $host = $this->container->getHost();
        $url = "http://$host:" . $this->container->getMappedPort(self::CONTROL_PORT);
        return Mynah::connect($url, $this->token, $host, $this->container->getMappedPort(self::APNS_PORT));
    }

    /** Stops the container and removes it. */
    public function stop(): void
    {
        $this->container->stop();
    }
}
