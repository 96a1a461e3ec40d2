using EventHubThroughput.Amqp.Framing;
using Xunit;

namespace EventHubThroughput.Amqp.Tests.Connection;

/// <summary>What belongs to the caller of one operation does not stay in a connection, which outlives it.</summary>
public sealed class OwnContextTests
{
    private static readonly AsyncLocal<string?> Operation = new();

    [Fact]
    public async Task Callbacks_of_a_connection_do_not_inherit_the_context_of_the_caller_that_opened_it()
    {
        var cancellationToken = TestContext.Current.CancellationToken;
        Operation.Value = "the first caller";
        var seen = new TaskCompletionSource<string?>();
        await using var pair = await LoopbackPair.StartAsync(
            request =>
            {
                seen.TrySetResult(Operation.Value);
                return Serving.Accept(request);
            },
            cancellationToken
        );
        var session = await pair.BeginAsync(cancellationToken);
        var observed = new TaskCompletionSource<string?>();
        var sender = await session.AttachSenderAsync(Serving.To("s"), cancellationToken);
        sender.CreditChanged += () => observed.TrySetResult(Operation.Value);
        pair.Server.Abort(null);

        Assert.Null(await seen.Task);
        Assert.Null(await observed.Task);
    }

    [Fact]
    public async Task A_wait_for_credit_that_is_called_off_is_forgotten()
    {
        var cancellationToken = TestContext.Current.CancellationToken;
        await using var pair = await LoopbackPair.StartAsync(Serving.Accept, cancellationToken);
        var session = await pair.BeginAsync(cancellationToken);
        var sender = await session.AttachSenderAsync(Serving.To("s"), cancellationToken);
        for (var count = 0; count < 10; count++)
        {
            using var enough = new CancellationTokenSource();
            var waiting = sender.WaitForCreditAsync(enough.Token);
            await enough.CancelAsync();
            await Assert.ThrowsAnyAsync<OperationCanceledException>(async () => await waiting);
        }

        Assert.Equal(0, sender.CreditWaiters);
    }

    [Theory]
    [InlineData(1_000, false)]
    [InlineData(2_000, true)]
    public async Task A_client_takes_messages_up_to_the_limit_that_it_chooses(int limit, bool taken)
    {
        var cancellationToken = TestContext.Current.CancellationToken;
        await using var pair = await LoopbackPair.StartAsync(
            async request => await request.AcceptSender(new LinkAnswer()).SendAsync(new byte[1_500], 0, cancellationToken),
            cancellationToken,
            client: options => options with { MaxMessageSize = (ulong)limit }
        );
        var session = await pair.BeginAsync(cancellationToken);
        var receiver = await session.AttachReceiverAsync(Serving.From("r"), 1, cancellationToken);
        if (taken)
        {
            var delivery = await receiver.ReceiveAsync(cancellationToken);
            Assert.Equal(1_500, delivery.Payload.Length);
            receiver.Settle(delivery, Accepted.Instance);
        }
        else
        {
            var failure = await Assert.ThrowsAsync<AmqpException>(async () => await receiver.ReceiveAsync(cancellationToken));
            Assert.Contains("1000 bytes", failure.Message, StringComparison.Ordinal);
        }
    }
}
