using EventHubThroughput.Amqp.Codec;
using Xunit;

namespace EventHubThroughput.Amqp.Tests.Connection;

/// <summary>A peer that is redirected finds the other address in the error.</summary>
public sealed class AmqpRedirectTests
{
    private static CancellationToken Cancelled => TestContext.Current.CancellationToken;

    [Fact]
    public async Task A_link_is_followed_to_another_container()
    {
        await using var there = AmqpListener.Start(new AmqpListenerOptions(), static _ => new AnyLink());
        var expected = new AmqpRedirect("127.0.0.1", there.LocalEndPoint.Port, "virtual", "node-there");
        await using var here = AmqpListener.Start(new AmqpListenerOptions(), _ => new Refusing(expected.ToError("moved")));
        var options = new AmqpConnectionOptions { Host = "127.0.0.1", Port = here.LocalEndPoint.Port };
        await using var first = await AmqpConnection.ConnectAsync(options, Cancelled);
        var session = await first.BeginSessionAsync(new AmqpSessionOptions(), Cancelled);

        var refusal = await Assert.ThrowsAsync<AmqpException>(() => session.AttachSenderAsync(Serving.To("node"), Cancelled));
        var redirect = AmqpRedirect.Of(refusal.Error);

        Assert.Equal(expected, redirect);
        Assert.Equal("virtual", redirect!.Follow(options).HostName);
        await using var second = await AmqpConnection.ConnectAsync(redirect.Follow(options), Cancelled);
        var other = await second.BeginSessionAsync(new AmqpSessionOptions(), Cancelled);
        var sender = await other.AttachSenderAsync(Serving.To(redirect.Address!), Cancelled);
        await sender.WaitForCreditAsync(Cancelled);
    }

    [Fact]
    public async Task A_connection_ends_with_it()
    {
        var expected = new AmqpRedirect("elsewhere.example", 5671);
        await using var pair = await AmqpConnectionPair.OpenAsync(
            new AmqpConnectionOptions { Host = "memory", Port = 0 },
            new AmqpListenerOptions(),
            static _ => new AnyLink(),
            Cancelled
        );
        await pair.Server.CloseAsync(expected.ToError(), Cancelled);

        var error = await pair.Client.Completion.WaitAsync(Cancelled);

        Assert.Equal(ErrorCondition.ConnectionRedirect, error!.Condition.Value);
        Assert.Equal(expected, AmqpRedirect.Of(error));
    }

    [Theory]
    [InlineData(ErrorCondition.NotFound, "host", 5671)]
    [InlineData(ErrorCondition.LinkRedirect, null, 5671)]
    [InlineData(ErrorCondition.LinkRedirect, "", 5671)]
    [InlineData(ErrorCondition.LinkRedirect, 5, 5671)]
    [InlineData(ErrorCondition.ConnectionRedirect, "host", null)]
    [InlineData(ErrorCondition.ConnectionRedirect, "host", 0)]
    [InlineData(ErrorCondition.ConnectionRedirect, "host", 65_536)]
    [InlineData(ErrorCondition.ConnectionRedirect, "host", "5671")]
    public void A_redirect_without_a_valid_address_is_not_parsed(string condition, object? host, object? port) =>
        Assert.Null(
            AmqpRedirect.Of(new AmqpError(condition, null, new AmqpMap { { new AmqpSymbol("network-host"), host }, { new AmqpSymbol("port"), port } }))
        );

    [Fact]
    public void A_redirect_error_without_details_is_not_parsed_as_a_redirect() => Assert.Null(AmqpRedirect.Of(new AmqpError(ErrorCondition.LinkRedirect)));

    private sealed class Refusing(AmqpError error) : ILinkAcceptor
    {
        public ValueTask AcceptAsync(LinkRequest request, CancellationToken cancellationToken)
        {
            request.Refuse(error);
            return ValueTask.CompletedTask;
        }
    }
}
