<?php

declare(strict_types=1);

namespace Mynah;

/** An APNs on localhost, and assertions on the pushes that it received. */
final class Mynah
{
    private const PORT_MAX = 65535;
    /** The longest name of a scope, and how much of it makes it unique. */
    private const SCOPE_CHARACTERS = 64;
    private const UNIQUE_CHARACTERS = 12;

    private static ?Server $shared = null;

    /**
     * A server that was started elsewhere: by `mynah exec`, in a container, by hand.
     *
     * `host` and `port` are for pushes, if they differ from the URL's host and the port that the server binds, as a
     * container's published port does.
     */
    public static function connect(
        string $url,
        #[\SensitiveParameter] ?string $token = null,
        ?string $host = null,
        ?int $port = null,
    ): Server {
        return new Server(new ControlAPI($url, $token), $host, $port);
    }

    /**
     * The server at `MYNAH_URL`, which `mynah exec` sets.
     *
     * Also reads `MYNAH_CONTROL_TOKEN`, `MYNAH_APNS_HOST` and `MYNAH_APNS_PORT`.
     */
    public static function connectFromEnvironment(?array $variables = null): Server
    {
        $variables ??= getenv();
        // Docker leaves the CR of a file of variables with Windows' line ends.
        $value = fn (string $name) => trim($variables[$name] ?? '') ?: null;
        $hint = 'expected the URL of a control API, as `mynah exec` sets it';
        $url = $value('MYNAH_URL') ?? throw new MynahException("MYNAH_URL is not set: $hint");
        $port = $value('MYNAH_APNS_PORT');
        if ($port !== null && str_contains($port, '://')) {
            trigger_error("ignored MYNAH_APNS_PORT=$port, which Kubernetes or a container link set", E_USER_NOTICE);
            $port = null;
        }
        if ($port !== null && (!ctype_digit($port) || (int) $port < 1 || (int) $port > self::PORT_MAX)) {
            throw new MynahException("invalid MYNAH_APNS_PORT=$port: expected a port from 1 to " . self::PORT_MAX);
        }
        $number = $port === null ? null : (int) $port;
        return self::connect($url, $value('MYNAH_CONTROL_TOKEN'), $value('MYNAH_APNS_HOST'), $number);
    }

    /**
     * Starts a server on free ports: with settings like `devices: 'strict'`, the flags of `mynah serve` in camel case.
     *
     * `binary` is the program, by default `MYNAH_BINARY` or `mynah` on the `PATH`; `folder` is where the server keeps
     * its keys, by default one that is removed at the end; of the variables `MYNAH_…` it gets only those in
     * `variables`. The server ends with this process, if it isn't closed before.
     */
    public static function startServer(
        ?string $binary = null,
        ?string $folder = null,
        array $variables = [],
        mixed ...$settings,
    ): Server {
        $flags = self::flagsOf($settings);
        $program = $binary ?? self::findBinary();
        if (!self::isProgram($program)) {
            throw new StartException("$program cannot be run: expected the program mynah");
        }
        $home = $folder ?? Folder::temporary();
        if (!is_dir($home)) {
            mkdir($home, recursive: true);
        }
        $home = realpath($home);
        $command = [$program, 'exec', '--state-dir', "$home/state", ...$flags, '--', ...Child::COMMAND];
        // None of this process' variables for Mynah, and a home without the user's mynah.yaml.
        $others = array_filter(getenv(), fn ($name) => !str_starts_with($name, 'MYNAH_'), ARRAY_FILTER_USE_KEY);
        $environment = [...$others, 'HOME' => $home, 'XDG_RUNTIME_DIR' => $home, ...$variables];
        $child = new Child($command, $environment, $home, $folder === null);
        try {
            [$url, $host, $port] = $child->ready();
            $token = $settings['controlToken'] ?? $variables['MYNAH_CONTROL_TOKEN'] ?? null;
            return new Server(new ControlAPI($url, $token), $host, (int) $port, $child);
        } catch (\Throwable $error) {
            $child->abandon();
            throw $error;
        }
    }

    /** The server of this process' tests: the one at `MYNAH_URL`, or one that is started at the first call. */
    public static function sharedServer(): Server
    {
        return self::$shared ??= getenv('MYNAH_URL') ? self::connectFromEnvironment() : self::startServer();
    }

    /** A scope of its own for one test, with a readable name. */
    public static function openScope(string $name = '', ?Server $server = null): Scope
    {
        $unique = bin2hex(random_bytes(intdiv(self::UNIQUE_CHARACTERS, 2)));
        $readable = preg_replace('/[^A-Za-z0-9._-]+/', '-', $name);
        $readable = substr($readable, 0, self::SCOPE_CHARACTERS - self::UNIQUE_CHARACTERS - 1);
        return ($server ?? self::sharedServer())->scope($readable === '' ? $unique : "$readable-$unique");
    }

    /** The program: `MYNAH_BINARY`, or `mynah` on the `PATH`. */
    private static function findBinary(): string
    {
        $chosen = getenv('MYNAH_BINARY');
        if ($chosen) {
            if (self::isProgram($chosen)) {
                return realpath($chosen);
            }
            throw new StartException("MYNAH_BINARY=$chosen is not executable: expected the program mynah");
        }
        foreach (array_filter(explode(PATH_SEPARATOR, (string) getenv('PATH'))) as $folder) {
            if (self::isProgram("$folder/mynah")) {
                return realpath("$folder/mynah");
            }
        }
        throw new StartException(
            'mynah is not on the PATH: set MYNAH_BINARY to the program, or MYNAH_URL to a running server'
        );
    }

    private static function isProgram(string $file): bool
    {
        return is_file($file) && is_executable($file);
    }

    /** Settings as flags of the program. */
    private static function flagsOf(array $settings): array
    {
        $flags = [];
        $known = [...array_keys(Words::SETTINGS), 'binary', 'folder', 'variables'];
        foreach (Documents::checked('startServer', $settings, $known) as $name => $value) {
            $flag = '--' . Words::SETTINGS[$name];
            if (in_array($name, Words::SWITCHES, true)) {
                $flags = $value ? [...$flags, $flag] : $flags;
                continue;
            }
            foreach ((array) $value as $one) {
                array_push($flags, $flag, is_bool($one) ? ($one ? 'on' : 'off') : (string) $one);
            }
        }
        return $flags;
    }
}
