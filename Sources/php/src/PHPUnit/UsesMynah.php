<?php

declare(strict_types=1);

namespace Mynah\PHPUnit;

use Mynah\ExpectationResult;
use Mynah\Mynah;
use Mynah\Scope;
use Mynah\UnmetException;
use PHPUnit\Framework\AssertionFailedError;

/** A scope for each test: `use UsesMynah;` in a class of tests. */
trait UsesMynah
{
    private ?Scope $mynahScope = null;

    /** The scope of this test, which is removed at its end. */
    protected function mynah(): Scope
    {
        $class = substr(strrchr('\\' . static::class, '\\'), 1);
        // The first is PHPUnit 10 and later, the second what came before.
        $test = method_exists($this, 'name') ? $this->name() : $this->getName(false);
        return $this->mynahScope ??= Mynah::openScope("$class-$test");
    }

    /** Fails with the nearest pushes unless pushes come as `Scope::expect` says; gives the result. */
    protected function assertPush(mixed ...$options): ExpectationResult
    {
        $this->addToAssertionCount(1);
        return $this->mynah()->expect(...$options);
    }

    /** Fails if a push matches, within 5 s or `within`. */
    protected function assertNoPush(mixed ...$options): ExpectationResult
    {
        return $this->assertPush(...['max' => 0, ...$options]);
    }

    /** @after */
    #[\PHPUnit\Framework\Attributes\After]
    protected function removeMynahScope(): void
    {
        $scope = $this->mynahScope;
        $this->mynahScope = null;
        $scope?->remove();
    }

    /** Makes what a wait expected in vain a failure, and not an error, in PHPUnit's reports. */
    protected function runTest(): mixed
    {
        try {
            return parent::runTest();
        } catch (UnmetException $error) {
            throw new AssertionFailedError($error->getMessage(), 0, $error);
        }
    }
}
