using System.Threading.Channels;
using EventHubThroughput.Amqp.Codec;
using Xunit;

namespace EventHubThroughput.Amqp.Tests.Connection;

/// <summary>Requests and their answers, over a pair of connections in memory.</summary>
public sealed class AmqpRequesterTests
{
    private static CancellationToken Cancelled => TestContext.Current.CancellationToken;

    [Fact]
    public async Task Each_request_gets_its_own_answer_in_any_order_of_the_answers()
    {
        var node = new AnsweringNode();
        await using var pair = await OpenAsync(node);
        await using var requester = await AmqpRequester.OpenAsync(pair.Client, new AmqpRequesterOptions { Address = "node" }, Cancelled);
        Task<AmqpMessage>[] asked = [.. Enumerable.Range(0, 30).Select(number => requester.RequestAsync(Request(number), Cancelled))];
        List<AmqpMessage> requests = [];
        foreach (var _ in asked)
        {
            requests.Add(await node.Requests.ReadAsync(Cancelled));
        }

        requests.Reverse();
        foreach (var request in requests)
        {
            await node.AnswerAsync(request, Cancelled);
        }

        var answers = await Task.WhenAll(asked);
        Assert.Equal(Enumerable.Range(0, 30).Select(static number => (object)number), answers.Select(static answer => answer.ApplicationProperties!["number"]));
        Assert.True(requester.IsOpen);
    }

    [Fact]
    public async Task An_answer_without_a_waiting_request_is_dropped_and_reported()
    {
        var node = new AnsweringNode();
        var dropped = 0;
        await using var pair = await OpenAsync(node);
        await using var requester = await AmqpRequester.OpenAsync(
            pair.Client,
            new AmqpRequesterOptions { Address = "node", Dropped = () => Interlocked.Increment(ref dropped) },
            Cancelled
        );
        using var patience = new CancellationTokenSource();
        var given = requester.RequestAsync(Request(1), patience.Token);
        var late = await node.Requests.ReadAsync(Cancelled);
        await patience.CancelAsync();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => given);

        await node.AnswerAsync(late, Cancelled);
        var next = requester.RequestAsync(Request(2), Cancelled);
        await node.AnswerAsync(await node.Requests.ReadAsync(Cancelled), Cancelled);

        Assert.Equal(2, (await next).ApplicationProperties!["number"]);
        Assert.Equal(1, dropped);
    }

    [Fact]
    public async Task Pending_requests_fail_when_the_connection_is_lost_and_the_loss_is_reported_once()
    {
        var node = new AnsweringNode();
        List<int> lost = [];
        await using var pair = await OpenAsync(node);
        await using var requester = await AmqpRequester.OpenAsync(
            pair.Client,
            new AmqpRequesterOptions { Address = "node", Lost = (_, waiting) => lost.Add(waiting) },
            Cancelled
        );
        var asked = requester.RequestAsync(Request(1), Cancelled);
        await node.Requests.ReadAsync(Cancelled);
        pair.Server.Abort(new AmqpError(ErrorCondition.ConnectionForced, "gone"));

        await Assert.ThrowsAsync<AmqpException>(() => asked);
        await Assert.ThrowsAsync<AmqpException>(() => requester.RequestAsync(Request(2), Cancelled));
        Assert.False(requester.IsOpen);
        Assert.Equal([1], lost);
    }

    [Fact]
    public async Task A_requester_that_is_stopped_fails_pending_requests_and_reports_no_loss()
    {
        var node = new AnsweringNode();
        var lost = 0;
        await using var pair = await OpenAsync(node);
        var requester = await AmqpRequester.OpenAsync(
            pair.Client,
            new AmqpRequesterOptions { Address = "node", Lost = (_, _) => Interlocked.Increment(ref lost) },
            Cancelled
        );
        var asked = requester.RequestAsync(Request(1), Cancelled);
        await node.Requests.ReadAsync(Cancelled);

        await requester.DisposeAsync();

        var gone = await Assert.ThrowsAsync<AmqpException>(() => asked);
        Assert.Equal(ErrorCondition.DetachForced, gone.Error.Condition.Value);
        Assert.Equal((0, false), (lost, requester.Session.IsOpen));
        Assert.True(pair.Client.IsOpen);
    }

    [Fact]
    public async Task A_node_that_is_not_there_is_refused_and_its_session_ended()
    {
        await using var pair = await OpenAsync(new AnsweringNode());

        var refusal = await Assert.ThrowsAsync<AmqpException>(() =>
            AmqpRequester.OpenAsync(pair.Client, new AmqpRequesterOptions { Address = "elsewhere" }, Cancelled)
        );

        Assert.Equal(ErrorCondition.NotFound, refusal.Error.Condition.Value);
        Assert.True(pair.Client.IsOpen);
    }

    private static Task<AmqpConnectionPair> OpenAsync(AnsweringNode node) =>
        AmqpConnectionPair.OpenAsync(new AmqpConnectionOptions { Host = "memory", Port = 0 }, new AmqpListenerOptions(), _ => node, Cancelled);

    private static AmqpMessage Request(int number) => new() { ApplicationProperties = new AmqpMap { { "number", number } } };

    // Answers when a test requests it, with the properties of the request.
    private sealed class AnsweringNode : ILinkAcceptor
    {
        private readonly Channel<AmqpMessage> requests = Channel.CreateUnbounded<AmqpMessage>();
        private readonly TaskCompletionSource<AmqpSender> back = new(TaskCreationOptions.RunContinuationsAsynchronously);

        public ChannelReader<AmqpMessage> Requests => requests.Reader;

        public async ValueTask AcceptAsync(LinkRequest request, CancellationToken cancellationToken)
        {
            if ((request.PeerIsSender ? request.Attach.Target?.Address : request.Attach.Source?.Address) != "node")
            {
                request.Refuse(new AmqpError(ErrorCondition.NotFound, "no such node"));
            }
            else if (request.PeerIsSender)
            {
                await TakeAsync(request.AcceptReceiver(new LinkAnswer(), initialCredit: 100), cancellationToken);
            }
            else
            {
                back.SetResult(request.AcceptSender(new LinkAnswer()));
            }
        }

        public async Task AnswerAsync(AmqpMessage request, CancellationToken cancellationToken)
        {
            var answer = new AmqpMessage
            {
                Properties = new MessageProperties { CorrelationId = request.Properties!.MessageId, To = request.Properties.ReplyTo },
                ApplicationProperties = request.ApplicationProperties,
            };
            var sender = await back.Task;
            await sender.TransferAsync(new(answer.Encode()), new OutgoingTransfer { Settled = true }, cancellationToken);
        }

        private async Task TakeAsync(AmqpReceiver receiver, CancellationToken cancellationToken)
        {
            while (true)
            {
                await requests.Writer.WriteAsync(AmqpMessage.Decode((await receiver.ReceiveAsync(cancellationToken)).Payload), cancellationToken);
            }
        }
    }
}
