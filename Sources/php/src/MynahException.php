<?php

declare(strict_types=1);

namespace Mynah;

/** The server did not start, does not answer, or refused a call. */
class MynahException extends \RuntimeException
{
}
