<?php

declare(strict_types=1);

namespace Mynah;

/** A push, accepted or refused, with its outcome. */
final class Notification extends Record
{
    /** The first value of a header, by its name in lower case. */
    public function header(string $name): ?string
    {
        foreach ($this->document['headers'] as [$one, $value]) {
            if ($one === $name) {
                return $value;
            }
        }
        return null;
    }
}
