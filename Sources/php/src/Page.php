<?php

declare(strict_types=1);

namespace Mynah;

/** A part of a list, which can be iterated and counted. */
final class Page implements \IteratorAggregate, \Countable
{
    /** @param list<Record> $items */
    private function __construct(
        public readonly array $items,
        /** How many there are in all. */
        public readonly ?int $matched,
        /** Where the next part begins; null for the last one. */
        public readonly ?string $nextCursor,
        /** Whether the time of a wait was over. */
        public readonly ?bool $timedOut,
        public readonly mixed $evicted,
        public readonly ?int $lastSequence,
    ) {
    }

    public static function of(string $kind, array $answer, ?ControlAPI $control): self
    {
        return new self(
            Record::all($kind, $answer['items'], $control),
            $answer['matched'] ?? null,
            $answer['nextCursor'] ?? null,
            $answer['timedOut'] ?? null,
            $answer['evicted'] ?? null,
            $answer['lastSequence'] ?? null,
        );
    }

    public function getIterator(): \ArrayIterator
    {
        return new \ArrayIterator($this->items);
    }

    public function count(): int
    {
        return count($this->items);
    }
}
