<?php

declare(strict_types=1);

namespace Mynah;

/** A server did not start; the message has its output. */
class StartException extends MynahException
{
}
