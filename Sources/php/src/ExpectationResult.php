<?php

declare(strict_types=1);

namespace Mynah;

/** The result of an expectation; as text like the output of `mynah expect`. */
final class ExpectationResult implements \Stringable
{
    /** The most characters of a value in a message. */
    private const VALUE_CHARACTERS = 400;
    /** How much of a device's id a message shows. */
    private const DEVICE_CHARACTERS = 24;
    /** Where the time of the day is in a time of the API. */
    private const CLOCK = [11, 12];
    /** Control characters, and those that change the direction of writing. */
    private const HARMFUL = '/[\x{0000}-\x{001f}\x{007f}-\x{009f}\x{2028}-\x{202e}\x{2066}-\x{2069}]/u';

    public readonly bool $met;
    public readonly int $matched;
    /** @var list<Notification> */
    public readonly array $items;
    public readonly ?int $failedAt;
    /** The pushes that came near, and what differs. */
    public readonly array $nearest;
    /** @var list<string> */
    public readonly array $hints;
    public readonly mixed $evicted;
    public readonly ?int $lastSequence;

    public function __construct(array $document, private readonly array $expectation)
    {
        $this->met = $document['met'];
        $this->matched = $document['matched'];
        $this->items = Record::all('Notification', $document['items']);
        $this->failedAt = $document['failedAt'];
        $this->nearest = Record::all('ExpectationResultNearest', $document['nearest']);
        $this->hints = $document['hints'];
        $this->evicted = $document['evicted'];
        $this->lastSequence = $document['lastSequence'];
    }

    /** The only push that matched. */
    public function push(): Notification
    {
        if ($this->matched !== 1) {
            throw new MissingException("{$this->matched} pushes matched: expected one");
        }
        return $this->items[0];
    }

    public function __toString(): string
    {
        $lines = [$this->verdict()];
        if (!$this->met && $this->failedAt !== null) {
            $lines[] = "step {$this->failedAt} of inOrder has no push";
        }
        foreach ($this->nearest as $near) {
            array_push($lines, ...self::nearLines($near));
        }
        foreach ($this->hints as $hint) {
            $lines[] = 'hint: ' . self::printable($hint);
        }
        return implode("\n", $lines);
    }

    private function verdict(): string
    {
        $pushes = $this->matched === 1 ? '1 push matched' : "{$this->matched} pushes matched";
        if ($this->items !== []) {
            $pushes .= ': ' . implode(', ', array_map(fn ($item) => $item->sequence, $this->items));
            $pushes .= $this->matched > count($this->items) ? ', …' : '';
        }
        return $this->met ? "met: $pushes" : "unmet: $pushes; expected " . $this->wanted();
    }

    /** What was expected: `at least 1 within 5s`. */
    private function wanted(): string
    {
        $within = $this->expectation['within'] ?? '5s';
        $steps = count($this->expectation['inOrder'] ?? []);
        if ($steps > 0) {
            return "$steps in order within $within";
        }
        $count = (array) ($this->expectation['count'] ?? []);
        $most = $count['exactly'] ?? $count['max'] ?? null;
        $least = $count['exactly'] ?? $count['min'] ?? ($most === null ? 1 : 0);
        $settle = $this->expectation['settle'] ?? null;
        $quiet = $settle === null ? '' : ", and then $settle of quiet";
        return self::range($least, $most) . ($least === 0 ? '' : " within $within") . $quiet;
    }

    private static function range(int $least, ?int $most): string
    {
        return match (true) {
            $most === 0 => 'none',
            $least === $most => "exactly $least",
            $most === null => "at least $least",
            $least === 0 => "at most $most",
            default => "$least to $most",
        };
    }

    private static function nearLines(Record $near): array
    {
        $push = $near->document['push'];
        $answer = isset($push['status']) ? "{$push['status']} {$push['outcome']}" : $push['outcome'];
        $device = isset($push['device']) ? mb_substr($push['device'], 0, self::DEVICE_CHARACTERS) : null;
        $at = substr($push['receivedAt'], ...self::CLOCK);
        $facts = Documents::known(["push {$push['sequence']}", $at, $answer, $push['topic'] ?? null, $device]);
        $heading = implode(', ', array_map(self::printable(...), $facts));
        $lines = ["near miss: $heading (- expected, + actual)"];
        foreach ($near->differences as $one) {
            $field = self::printable($one->field);
            $lines[] = "  - $field " . self::valueText($one->expected);
            $lines[] = "  + $field " . self::valueText($one->actual);
        }
        return $lines;
    }

    private static function valueText(mixed $value): string
    {
        $text = Documents::json($value);
        $length = mb_strlen($text);
        if ($length <= self::VALUE_CHARACTERS) {
            return self::printable($text);
        }
        return self::printable(mb_substr($text, 0, self::VALUE_CHARACTERS) . "… ($length characters)");
    }

    private static function printable(string $text): string
    {
        return preg_replace(self::HARMFUL, ' ', $text) ?? '';
    }
}
