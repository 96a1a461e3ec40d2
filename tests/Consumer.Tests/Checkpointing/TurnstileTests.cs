using EventHubThroughput.Consumer.Checkpointing;
using Xunit;

namespace EventHubThroughput.Consumer.Tests.Checkpointing;

public sealed class TurnstileTests
{
    private readonly Turnstile turnstile = new();

    private static CancellationToken Cancellation => TestContext.Current.CancellationToken;

    [Fact]
    public async Task Lets_nobody_in_who_has_been_cancelled()
    {
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => turnstile.EnterAsync(new CancellationToken(canceled: true)));

        Assert.True(turnstile.EnterAsync(Cancellation).IsCompletedSuccessfully);
    }

    [Fact]
    public async Task Lets_callers_in_one_by_one_as_they_came()
    {
        await turnstile.EnterAsync(Cancellation);
        var second = turnstile.EnterAsync(Cancellation);
        var third = turnstile.EnterAsync(Cancellation);

        turnstile.Leave();
        await second;
        Assert.False(third.IsCompleted);
        turnstile.Leave();
        await third;
    }

    [Fact]
    public async Task Passes_over_whoever_waits_no_longer()
    {
        using var impatient = new CancellationTokenSource();
        await turnstile.EnterAsync(Cancellation);
        var second = turnstile.EnterAsync(impatient.Token);
        var third = turnstile.EnterAsync(Cancellation);

        await impatient.CancelAsync();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => second);
        turnstile.Leave();
        await third;
    }
}
