using EventHubThroughput.Amqp;
using EventHubThroughput.Amqp.Codec;
using EventHubThroughput.Clients.Connections;
using Xunit;

namespace EventHubThroughput.Clients.Tests.Connections;

public sealed class FailuresTests
{
    private const string Host = "127.0.0.1:5672";
    private static readonly EntityLabel Hub = EntityLabel.EventHub("hub");

    [Theory]
    [InlineData("com.microsoft:server-busy", FailureKind.Throttled)]
    [InlineData("com.microsoft:timeout", FailureKind.Transient)]
    [InlineData("amqp:internal-error", FailureKind.Transient)]
    [InlineData("never-heard-of", FailureKind.Transient)]
    [InlineData("amqp:connection:forced", FailureKind.Transient)]
    [InlineData("amqp:link:detach-forced", FailureKind.Transient)]
    [InlineData("amqp:not-found", FailureKind.NotFound)]
    [InlineData("amqp:link:stolen", FailureKind.OwnershipLost)]
    [InlineData("amqp:unauthorized-access", FailureKind.Unauthorized)]
    [InlineData("amqp:link:message-size-exceeded", FailureKind.TooLarge)]
    [InlineData("com.microsoft:message-lock-lost", FailureKind.LockLost)]
    [InlineData("com.microsoft:argument-error", FailureKind.Permanent)]
    [InlineData("com.microsoft:entity-disabled", FailureKind.Unavailable)]
    [InlineData("amqp:not-allowed", FailureKind.Permanent)]
    [InlineData("amqp:not-implemented", FailureKind.Permanent)]
    public void The_condition_of_an_error_determines_its_failure_kind(string condition, FailureKind kind)
    {
        var failure = Failures.Of(new AmqpException(AmqpErrorScope.Link, new AmqpError(condition)), Hub, Host);
        Assert.Equal(kind, failure.Kind);
        Assert.Equal(condition, failure.Condition);
    }

    [Fact]
    public void Names_the_entity()
    {
        Assert.Equal("event hub 'hub' not found", Failures.Of(new AmqpError(ErrorCondition.NotFound, "whatever"), Hub).Message);
        Assert.Equal("not authorized for 'hub'", Failures.Of(new AmqpError(ErrorCondition.UnauthorizedAccess, "whatever"), Hub).Message);
        Assert.Equal("event hub 'hub': oops (amqp:internal-error)", Failures.Of(new AmqpError(ErrorCondition.InternalError, "oops"), Hub).Message);
    }

    [Fact]
    public void A_link_detached_for_a_limit_is_attached_again_and_an_entity_that_rejects_for_it_is_full()
    {
        var full = new AmqpError(ErrorCondition.ResourceLimitExceeded);
        Assert.Equal(FailureKind.Transient, Failures.Of(new AmqpException(AmqpErrorScope.Link, full), Hub, Host).Kind);
        Assert.Equal(FailureKind.Transient, Failures.Of(new AmqpException(AmqpErrorScope.Connection, full), Hub, Host).Kind);
        Assert.Equal(FailureKind.Unavailable, Failures.Of(full, Hub).Kind);
    }

    [Fact]
    public void A_session_that_the_peer_ended_is_not_reported_as_a_deleted_entity()
    {
        var over = new AmqpError(ErrorCondition.ResourceDeleted, "The session has ended.");
        Assert.Equal(FailureKind.Transient, Failures.Of(new AmqpException(AmqpErrorScope.Session, over), Hub, Host).Kind);
        Assert.Equal(FailureKind.NotFound, Failures.Of(new AmqpException(AmqpErrorScope.Link, over), Hub, Host).Kind);
    }

    [Theory]
    [InlineData(AmqpErrorScope.Transport)]
    [InlineData(AmqpErrorScope.Timeout)]
    [InlineData(AmqpErrorScope.Decode)]
    public void A_broken_connection_is_transient_for_any_condition(AmqpErrorScope scope) =>
        Assert.Equal(FailureKind.Transient, Failures.Of(new AmqpException(scope, new AmqpError(ErrorCondition.DecodeError, "garbled")), Hub, Host).Kind);

    [Fact]
    public void Names_the_host_when_the_way_to_it_is_at_fault()
    {
        var broken = new AmqpException(AmqpErrorScope.Transport, new AmqpError(ErrorCondition.ConnectionForced, "gone"));
        Assert.Equal("event hub 'hub' at 127.0.0.1:5672: gone (amqp:connection:forced)", Failures.Of(broken, Hub, Host).Message);
        Assert.Equal("event hub 'hub': no answer from 127.0.0.1:5672 in time", Failures.Of(new OperationCanceledException(), Hub, Host).Message);
        Assert.Equal("event hub 'hub' at 127.0.0.1:5672: reset", Failures.Of(new IOException("reset"), Hub, Host).Message);
    }

    [Fact]
    public void An_exception_for_the_caller_passes_unchanged()
    {
        var failure = new MessagingException(FailureKind.Unreachable, "gone");
        Assert.Same(failure, Failures.Of(failure, Hub, Host));
    }
}
