<?php

declare(strict_types=1);

namespace Mynah;

/** A call with a wrong argument, which was not sent. */
class ArgumentException extends \InvalidArgumentException
{
}
