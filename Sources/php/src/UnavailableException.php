<?php

declare(strict_types=1);

namespace Mynah;

/** No control API answers at the address, or not one that this package knows. */
class UnavailableException extends MynahException
{
}
