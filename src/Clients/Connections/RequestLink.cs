using System.Globalization;
using EventHubThroughput.Amqp;
using EventHubThroughput.Amqp.Codec;
using EventHubThroughput.AzureProtocol;

namespace EventHubThroughput.Clients.Connections;

/// <summary>A node of the services that answers requests (<c>$cbs</c>, <c>$management</c>), with logging and the meaning of its answers.</summary>
internal sealed class RequestLink : IAsyncDisposable
{
    private readonly AmqpRequester requester;
    private readonly Retrier retrier;

    private RequestLink(AmqpRequester requester, Retrier retrier)
    {
        this.requester = requester;
        this.retrier = retrier;
    }

    public bool IsOpen => requester.IsOpen;

    public static async Task<RequestLink> OpenAsync(
        AmqpConnection connection,
        string address,
        AmqpMap? properties,
        Retrier retrier,
        CancellationToken cancellationToken
    )
    {
        var options = new AmqpRequesterOptions
        {
            Address = address,
            Properties = properties,
            Dropped = () => Log.AnswerDropped(retrier.Log, address),
            Lost = (exception, waiting) =>
            {
                if (waiting == 0)
                {
                    Log.IdleRequestLinkLost(retrier.Log, address, exception);
                }
                else
                {
                    Log.RequestLinkLost(retrier.Log, address, waiting, exception);
                }
            },
        };
        return new RequestLink(await AmqpRequester.OpenAsync(connection, options, cancellationToken).ConfigureAwait(false), retrier);
    }

    /// <summary>Sends a request and waits for its answer, of any status.</summary>
    public Task<AmqpMessage> RequestAsync(AmqpMap applicationProperties, MessageBody body, CancellationToken cancellationToken) =>
        requester.RequestAsync(new AmqpMessage { ApplicationProperties = applicationProperties, Body = body }, cancellationToken);

    /// <summary>Throws the failure of a status outside of 200 to 299.</summary>
    public static void ThrowUnlessSuccess(AmqpMessage answer, EntityLabel entity)
    {
        var status = GetStatus(answer);
        if (status is >= 200 and <= 299)
        {
            return;
        }

        var properties = answer.ApplicationProperties;
        var condition =
            properties?.FindString(AmqpNames.ErrorConditionName) ?? properties?.FindString(AmqpNames.ServiceBusErrorCondition) ?? Failures.GetCondition(status);
        var description = properties?.FindString(AmqpNames.StatusDescription) ?? properties?.FindString(AmqpNames.ServiceBusStatusDescription);
        throw Failures.Of(new AmqpError(condition, description), entity);
    }

    /// <summary>The status, in either spelling and any integer type or text. 0 when there is none.</summary>
    public static long GetStatus(AmqpMessage answer)
    {
        var properties = answer.ApplicationProperties;
        var status = properties?.FindInteger(AmqpNames.StatusCode) ?? properties?.FindInteger(AmqpNames.ServiceBusStatusCode);
        if (
            status is null
            && long.TryParse(
                properties?.FindString(AmqpNames.StatusCode) ?? properties?.FindString(AmqpNames.ServiceBusStatusCode),
                NumberStyles.None,
                CultureInfo.InvariantCulture,
                out var text
            )
        )
        {
            return text;
        }

        return status ?? 0;
    }

    public async ValueTask DisposeAsync()
    {
        await requester.StopAsync().ConfigureAwait(false);
        await requester.Session.EndQuietlyAsync(retrier).ConfigureAwait(false);
        await requester.DisposeAsync().ConfigureAwait(false);
    }
}
