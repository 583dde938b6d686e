<?php

declare(strict_types=1);

namespace Mynah;

/**
 * A request of HTTP/1.1 on a connection of its own, and its answer.
 *
 * @internal
 */
final class Exchange
{
    private const READ_BYTES = 65536;
    private const MICROSECONDS = 1_000_000;

    public readonly int $status;
    /** @var array<string, string> */
    public readonly array $headers;

    /** @param resource $stream */
    private function __construct(
        private $stream,
        private readonly string $call,
        private readonly string $url,
        private readonly float $timeout,
    ) {
        $line = $this->line();
        if (preg_match('~^HTTP/1\.\d (\d{3})~', $line, $found) !== 1) {
            throw $this->ended('no HTTP: ' . json_encode($line, JSON_INVALID_UTF8_SUBSTITUTE));
        }
        $this->status = (int) $found[1];
        $headers = [];
        while (($line = $this->line()) !== '') {
            [$name, $value] = [...explode(':', $line, 2), ''];
            $headers[strtolower($name)] = trim($value);
        }
        $this->headers = $headers;
    }

    /** Sends a request, and reads the head of its answer. */
    public static function begin(string $place, string $request, string $call, string $url, float $timeout): self
    {
        $stream = @stream_socket_client($place, $code, $why, $timeout);
        if ($stream === false) {
            throw new UnavailableException("no mynah at $url: $why; `mynah serve` starts one");
        }
        $seconds = (int) $timeout;
        stream_set_timeout($stream, $seconds, (int) (($timeout - $seconds) * self::MICROSECONDS));
        // A server that hangs up is noticed where its answer is read.
        @fwrite($stream, $request);
        return new self($stream, $call, $url, $timeout);
    }

    /**
     * The parts of the body, as they come.
     *
     * @return \Generator<int, string>
     */
    public function body(): \Generator
    {
        if (strtolower($this->headers['transfer-encoding'] ?? '') === 'chunked') {
            while (($size = hexdec(strtok($this->line(), ';') ?: '0')) > 0) {
                yield from $this->bytes((int) $size);
                $this->line();
            }
            $this->line();
            return;
        }
        if (isset($this->headers['content-length'])) {
            yield from $this->bytes((int) $this->headers['content-length']);
            return;
        }
        while (!feof($this->stream)) {
            yield (string) fread($this->stream, self::READ_BYTES);
        }
    }

    public function close(): void
    {
        if (is_resource($this->stream)) {
            fclose($this->stream);
        }
    }

    private function bytes(int $left): \Generator
    {
        while ($left > 0) {
            $part = fread($this->stream, min($left, self::READ_BYTES));
            if ($part === false || $part === '') {
                throw $this->ended("$left bytes are missing");
            }
            $left -= strlen($part);
            yield $part;
        }
    }

    private function line(): string
    {
        $line = fgets($this->stream);
        if ($line === false || !str_ends_with($line, "\n")) {
            throw $this->ended('a line is missing');
        }
        return rtrim($line, "\r\n");
    }

    private function ended(string $why): UnavailableException
    {
        $isLate = stream_get_meta_data($this->stream)['timed_out'];
        $this->close();
        return new UnavailableException(
            $isLate
                ? "{$this->call}: no answer from {$this->url} within {$this->timeout} s"
                : "{$this->call}: the connection to {$this->url} ended before the answer did: $why"
        );
    }
}
