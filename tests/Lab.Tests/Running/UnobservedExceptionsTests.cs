using System.Runtime.CompilerServices;
using EventHubThroughput.Lab.Running;
using Xunit;

namespace EventHubThroughput.Lab.Tests.Running;

public sealed class UnobservedExceptionsTests
{
    [Fact]
    public void An_exception_that_was_not_awaited_spoils_a_good_end_and_is_reported()
    {
        using var unobserved = new UnobservedExceptions();
        using var error = new StringWriter();

        Forget();

        Assert.Equal(1, unobserved.Conclude(0, error));
        Assert.Contains(" of unobserved tasks, the first: ", error.ToString(), StringComparison.Ordinal);
    }

    [Fact]
    public void A_worse_end_keeps_its_code()
    {
        using var unobserved = new UnobservedExceptions();
        using var error = new StringWriter();

        Forget();

        Assert.Equal(4, unobserved.Conclude(4, error));
        Assert.NotEqual("", error.ToString());
    }

    // In a separate frame, so that nothing keeps the task alive.
    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void Forget() => _ = Task.FromException(new InvalidOperationException("nobody looks"));
}
