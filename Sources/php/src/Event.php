<?php

declare(strict_types=1);

namespace Mynah;

/** An event of a stream: its kind, its id, and the JSON that it has. */
final class Event
{
    public function __construct(
        public readonly string $event,
        public readonly ?int $id,
        public readonly mixed $data,
    ) {
    }
}
