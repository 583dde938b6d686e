<?php

declare(strict_types=1);

namespace Mynah;

/** What was asked for is not there, or is not the only one. */
class MissingException extends \RuntimeException
{
}
