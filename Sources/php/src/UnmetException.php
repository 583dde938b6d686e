<?php

declare(strict_types=1);

namespace Mynah;

/** What a wait expected did not happen in time. */
class UnmetException extends \RuntimeException
{
}
