<?php

declare(strict_types=1);

namespace Mynah;

/** An unmet expectation; the message shows the nearest pushes. */
final class ExpectationUnmet extends UnmetException
{
    public function __construct(public readonly ExpectationResult $result)
    {
        parent::__construct((string) $result);
    }
}
