using EventHubThroughput.Amqp;
using EventHubThroughput.Amqp.Codec;
using EventHubThroughput.AzureProtocol;
using EventHubThroughput.Clients.Connections;
using EventHubThroughput.Testing;
using Xunit;

namespace EventHubThroughput.Clients.Tests.Connections;

public sealed class RetrierTests
{
    private static readonly EntityLabel Queue = EntityLabel.Messages("queue");
    private readonly VirtualClock clock = new();

    [Fact]
    public async Task Tries_again_after_a_transient_error()
    {
        var tries = 0;
        var result = await RunAsync(new RetryOptions(), _ => ++tries < 3 ? throw Busy() : ValueTask.FromResult(tries));
        Assert.Equal(3, result);
        Assert.InRange(clock.Elapsed, TimeSpan.Zero, TimeSpan.FromMilliseconds(300));
    }

    [Fact]
    public async Task Gives_up_after_the_last_retry_with_the_last_error()
    {
        var tries = 0;
        var thrown = await Assert.ThrowsAsync<MessagingException>(() =>
            RunAsync(
                new RetryOptions { MaximumRetries = 4 },
                _ =>
                {
                    tries++;
                    throw Busy();
                }
            )
        );
        Assert.Equal(5, tries);
        Assert.Equal(FailureKind.Throttled, thrown.Kind);
        Assert.Equal("com.microsoft:server-busy", thrown.Condition);
    }

    [Theory]
    [InlineData(ErrorCondition.NotFound, FailureKind.NotFound)]
    [InlineData(ErrorCondition.UnauthorizedAccess, FailureKind.Unauthorized)]
    [InlineData(ErrorCondition.MessageSizeExceeded, FailureKind.TooLarge)]
    public async Task Tries_once_when_another_try_would_not_help(string condition, FailureKind kind)
    {
        var tries = 0;
        var thrown = await Assert.ThrowsAsync<MessagingException>(() =>
            RunAsync(
                new RetryOptions(),
                _ =>
                {
                    tries++;
                    throw new AmqpException(AmqpErrorScope.Link, new AmqpError(condition));
                }
            )
        );
        Assert.Equal(1, tries);
        Assert.Equal(kind, thrown.Kind);
        Assert.Equal(TimeSpan.Zero, clock.Elapsed);
    }

    [Fact]
    public async Task Ends_a_try_that_gets_no_answer_and_the_operation_at_its_time_out()
    {
        var options = new RetryOptions()
        {
            TryTimeout = TimeSpan.FromSeconds(20),
            OperationTimeout = TimeSpan.FromSeconds(60),
            MaximumRetries = 100,
        };
        var tries = 0;
        var thrown = await Assert.ThrowsAsync<MessagingException>(() =>
            RunAsync(
                options,
                async token =>
                {
                    tries++;
                    await clock.DelayAsync(TimeSpan.FromDays(1), token);
                    return 0;
                }
            )
        );
        Assert.Equal(FailureKind.Transient, thrown.Kind);
        Assert.Equal(3, tries);
        Assert.InRange(clock.Elapsed, TimeSpan.FromSeconds(60), TimeSpan.FromSeconds(61));
    }

    [Fact]
    public async Task Counts_no_try_that_found_no_connection()
    {
        var tries = 0;
        var result = await RunAsync(
            new RetryOptions(),
            async token =>
            {
                await clock.DelayAsync(TimeSpan.FromSeconds(15), token);
                return ++tries <= 20 ? throw new MessagingException(FailureKind.Unconnected, "nobody there") : tries;
            }
        );
        Assert.Equal(21, result);
    }

    [Fact]
    public async Task A_caller_that_wants_one_try_gets_no_retries()
    {
        var tries = 0;
        var thrown = await Assert.ThrowsAsync<MessagingException>(() =>
            RunAsync(
                RetryOptions.Once,
                _ =>
                {
                    tries++;
                    throw new MessagingException(FailureKind.Unconnected, "nobody there");
                }
            )
        );
        Assert.Equal((1, FailureKind.Unconnected), (tries, thrown.Kind));
    }

    [Fact]
    public async Task Passes_the_callers_cancellation_on()
    {
        using var cancelled = new CancellationTokenSource();
        await cancelled.CancelAsync();
        var retrier = new Retrier("127.0.0.1:5672", new RetryOptions(), clock, 1);
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() =>
            retrier
                .RunAsync(
                    0,
                    static (_, token) =>
                    {
                        token.ThrowIfCancellationRequested();
                        return ValueTask.FromResult(0);
                    },
                    Queue,
                    cancelled.Token
                )
                .AsTask()
        );
    }

    [Fact]
    public async Task Turns_an_error_into_the_clients_own_exception_also_while_the_caller_cancels()
    {
        using var cancelled = new CancellationTokenSource();
        var retrier = new Retrier("127.0.0.1:5672", new RetryOptions(), clock, 1);
        var stolen = await Assert.ThrowsAsync<MessagingException>(() =>
            retrier
                .RunAsync(
                    cancelled,
                    static async (source, _) =>
                    {
                        await source.CancelAsync();
                        return Stolen();
                    },
                    Queue,
                    cancelled.Token
                )
                .AsTask()
        );
        Assert.Equal(FailureKind.OwnershipLost, stolen.Kind);
    }

    [Fact]
    public async Task A_caller_that_cancels_gets_no_transient_error()
    {
        using var cancelled = new CancellationTokenSource();
        var retrier = new Retrier("127.0.0.1:5672", new RetryOptions { MaximumRetries = 0 }, clock, 1);
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() =>
            retrier
                .RunAsync(
                    cancelled,
                    static async (source, _) =>
                    {
                        await source.CancelAsync();
                        return Throw(Busy());
                    },
                    Queue,
                    cancelled.Token
                )
                .AsTask()
        );
    }

    private static int Stolen() => Throw(new AmqpException(AmqpErrorScope.Link, new AmqpError(ErrorCondition.LinkStolen, "a higher epoch")));

    private static int Throw(AmqpException exception) => throw exception;

    private static AmqpException Busy() => new(AmqpErrorScope.Delivery, new AmqpError(AmqpNames.ServerBusyError, "slow down"));

    // Time moves only while the operation waits.
    private async Task<int> RunAsync(RetryOptions options, Func<CancellationToken, ValueTask<int>> attempt)
    {
        var cancellationToken = TestContext.Current.CancellationToken;
        var retrier = new Retrier("127.0.0.1:5672", options, clock, 1);
        var running = retrier.RunAsync(attempt, static (run, token) => run(token), Queue, cancellationToken).AsTask();
        await clock.AdvanceUntilEndedAsync(running, cancellationToken);
        return await running;
    }
}
