<?php

declare(strict_types=1);

namespace Mynah;

/** The control API of one server; each call has its own connection. */
final class ControlAPI
{
    /** The longest wait of a list, 60 s, and a minute in which the machine may stand still. */
    public const ANSWER_SECONDS = 120;
    /** How much of an answer that isn't a problem document an error's message shows. */
    private const SHOWN_CHARACTERS = 200;
    private const PORT = 80;

    public readonly string $url;
    public readonly string $host;
    public readonly int $port;

    /** `token` is the bearer token of a server with `--control-token`. */
    public function __construct(string $url, #[\SensitiveParameter] private readonly ?string $token = null)
    {
        $place = parse_url($url);
        if ($place === false || ($place['scheme'] ?? '') !== 'http' || ($place['host'] ?? '') === '') {
            $shown = Documents::json($url);
            throw new ArgumentException("wrong control API $shown: expected a URL like http://127.0.0.1:8197");
        }
        $this->url = rtrim($url, '/');
        $this->host = trim($place['host'], '[]');
        $this->port = $place['port'] ?? self::PORT;
    }

    /**
     * The JSON of a call that must succeed, or its text if it isn't JSON; null if the answer has no body.
     *
     * `query` has names and values, or pairs. Throws a `ControlException` with field and detail if the call is refused,
     * an `UnavailableException` if no server answers. `timeout` is in seconds, for each step.
     */
    public function call(
        string $method,
        string $path,
        array $query = [],
        mixed $body = null,
        float $timeout = self::ANSWER_SECONDS,
    ): mixed {
        $exchange = $this->open($method, $path, $query, $body, $timeout);
        return $this->result("$method $path", $exchange, implode('', iterator_to_array($exchange->body(), false)));
    }

    /**
     * The events of a stream, as they come; the end of the iteration closes the connection.
     *
     * Throws a `ControlException` if the call is refused, an `UnavailableException` if the server can't be reached, or
     * for `timeout` seconds sends nothing, not even the comments between events.
     *
     * @return \Generator<int, Event>
     */
    public function events(string $path, array $query = [], float $timeout = self::ANSWER_SECONDS): \Generator
    {
        $exchange = $this->open('GET', $path, $query, null, $timeout);
        try {
            if ($exchange->status !== 200) {
                $this->result("GET $path", $exchange, implode('', iterator_to_array($exchange->body(), false)));
            }
            $text = '';
            foreach ($exchange->body() as $part) {
                $blocks = explode("\n\n", $text . $part);
                $text = array_pop($blocks);
                foreach ($blocks as $block) {
                    $event = self::eventOf($block);
                    if ($event !== null) {
                        yield $event;
                    }
                }
            }
        } finally {
            $exchange->close();
        }
    }

    private function open(string $method, string $path, array $query, mixed $body, float $timeout): Exchange
    {
        if (preg_match('~^/[!-\~]*$~D', $path) !== 1) {
            $shown = Documents::json($path);
            $hint = 'expected one that begins with / and is ASCII without spaces';
            throw new ArgumentException("wrong path $shown: $hint");
        }
        $pairs = array_is_list($query) ? $query : Documents::parameters($query);
        $written = implode('&', array_map(fn ($pair) => implode('=', array_map(rawurlencode(...), $pair)), $pairs));
        $content = $body === null ? '' : Documents::json(Documents::plain($body));
        $host = str_contains($this->host, ':') ? "[{$this->host}]" : $this->host;
        $head = [
            "$method $path" . ($written === '' ? '' : "?$written") . ' HTTP/1.1',
            "Host: $host:{$this->port}",
            'Connection: close',
            ...($body === null ? [] : ['Content-Type: application/json']),
            ...($method === 'GET' || $method === 'DELETE' ? [] : ['Content-Length: ' . strlen($content)]),
            ...($this->token === null ? [] : ["Authorization: Bearer {$this->token}"]),
        ];
        $request = implode("\r\n", $head) . "\r\n\r\n$content";
        return Exchange::begin("tcp://$host:{$this->port}", $request, "$method $path", $this->url, $timeout);
    }

    private function result(string $call, Exchange $exchange, string $body): mixed
    {
        $exchange->close();
        if ($exchange->status < 200 || $exchange->status > 299) {
            throw new ControlException($call, $exchange->status, self::problemOf($body));
        }
        if ($body === '') {
            return null;
        }
        $isJSON = str_contains($exchange->headers['content-type'] ?? 'json', 'json');
        return $isJSON ? json_decode($body, true, flags: JSON_THROW_ON_ERROR) : $body;
    }

    private static function problemOf(string $body): array
    {
        $problem = json_decode($body, true);
        if (is_array($problem)) {
            return $problem;
        }
        $shown = json_encode(substr($body, 0, self::SHOWN_CHARACTERS), JSON_INVALID_UTF8_SUBSTITUTE);
        return ['title' => 'not a problem document', 'detail' => "$shown; is this a mynah?"];
    }

    /** An event of a stream; null for what only keeps the connection, or tells the number reached. */
    private static function eventOf(string $block): ?Event
    {
        $fields = [];
        foreach (explode("\n", $block) as $line) {
            [$name, $value] = [...explode(':', $line, 2), ''];
            $fields[$name] = str_starts_with($value, ' ') ? substr($value, 1) : $value;
        }
        if (!isset($fields['data'])) {
            return null;
        }
        $id = ($fields['id'] ?? '') === '' ? null : (int) $fields['id'];
        $data = json_decode($fields['data'], true, flags: JSON_THROW_ON_ERROR);
        return new Event($fields['event'] ?? 'message', $id, $data);
    }
}
