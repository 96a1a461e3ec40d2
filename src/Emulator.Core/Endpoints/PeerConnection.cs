using EventHubThroughput.Amqp;
using EventHubThroughput.Amqp.Framing;
using EventHubThroughput.AzureProtocol;
using EventHubThroughput.Emulator.Authorization;
using EventHubThroughput.Emulator.FaultInjection.Faults;
using EventHubThroughput.Emulator.Messages;

namespace EventHubThroughput.Emulator.Endpoints;

/// <summary>One client connection of either service: its grants, its <c>$cbs</c>, and the targets of its links.</summary>
internal sealed class PeerConnection : ILinkAcceptor
{
    private readonly AmqpConnection _connection;
    private readonly IServiceLinks _service;
    private readonly Lazy<ConnectionGrants> _grants;
    private readonly Lazy<RequestNode> _cbs;
    private readonly Lazy<LinkExpiry> _expiry;

    public PeerConnection(AmqpConnection connection, IServiceLinks service, EndpointContext context)
    {
        _connection = connection;
        _service = service;
        Context = context;

        // The identity of the peer is known only after the handshake. The handshake is complete when the first link arrives.
        _grants = new Lazy<ConnectionGrants>(() =>
            new ConnectionGrants(
                context.Policies,
                context.Clock,
                context.AllowAnonymous ? AccessRights.All
                    : connection.Sasl is { UserName: { } user, Password: { } password } ? context.Policies.GetRights(user, password)
                    : AccessRights.None
            )
        );
        _cbs = new Lazy<RequestNode>(() =>
            new RequestNode(
                AmqpNames.CbsAddress,
                Replies,
                new CbsRequests(Grants).Answer,
                context.Clock,
                GetConditions(FaultPoint.Token, Context.Service, null)
            )
        );
        _expiry = new Lazy<LinkExpiry>(() => new LinkExpiry(Grants, context.Clock, context.Log));
    }

    public EndpointContext Context { get; }

    public ConnectionGrants Grants => _grants.Value;

    public ReplyLinks Replies { get; } = new();

    /// <summary>The address of a path in refusals, with the host that the peer has named.</summary>
    public string GetAddress(string path) => $"sb://{(_connection.RemoteOpen?.HostName is { Length: > 0 } host ? host : "localhost")}/{path}";

    public ValueTask AcceptAsync(LinkRequest request, CancellationToken cancellationToken)
    {
        if (request.PeerIsSender && request.Attach.Target is { IsCoordinator: true })
        {
            if (Context.Service != FaultTarget.EventHubs)
            {
                return TransactionCoordinator.ServeAsync(request, cancellationToken);
            }

            request.Refuse(Refusals.NotSupported("Transactions are"));
            return ValueTask.CompletedTask;
        }

        var text = request.PeerIsSender ? request.Attach.Target?.Address : request.Attach.Source?.Address;
        if (text is null || EntityAddress.Parse(text) is not { } address)
        {
            request.Refuse(Refusals.EntityNotFound(GetAddress(text is null ? string.Empty : EntityAddress.Normalise(text))));
            return ValueTask.CompletedTask;
        }

        return address.Kind == EntityAddressKind.ClaimsBasedSecurity
            ? _cbs.Value.ServeAsync(request, cancellationToken)
            : ServeAsync(request, address, cancellationToken);
    }

    /// <summary>Refuses the link when no token includes the path, or its policy lacks the right.</summary>
    public bool RefusedAccess(LinkRequest request, string path)
    {
        var right = request.PeerIsSender ? AccessRights.Send : AccessRights.Listen;
        if (Grants.Allows(path, right))
        {
            _expiry.Value.Watch(request, path);
            return false;
        }

        request.Refuse(Refusals.Unauthorized(path, right.ToString()));
        return true;
    }

    /// <summary>The latencies and faults of requests to a node.</summary>
    public RequestConditions GetConditions(FaultPoint point, string service, string? entity) =>
        new(Context.Faults, point, FaultTarget.Of(service, entity), Context.FaultInjection.CreateLatency(), Context.Log);

    private FaultTarget GetTarget(EntityAddress address) =>
        FaultTarget.Of(_service.GetService(address), address.Entity) with
        {
            Partition = address.Partition,
            Group = address.ConsumerGroup,
        };

    private async ValueTask<bool> IsServedAsync(LinkRequest request, EntityAddress address, CancellationToken cancellationToken)
    {
        var target = GetTarget(address);
        var fault = await Context.Faults.TryInjectAsync(FaultPoint.Attach, target, cancellationToken);
        switch (fault?.Action)
        {
            case FaultAction.Refuse:
                request.Refuse(fault.Reason.ToError(target));
                return false;
            case FaultAction.Drop:
                request.Connection.Abort(null);
                return false;
            case FaultAction.BlackHole:
                await Context.Faults.WaitAsync(fault.SilentFor, cancellationToken);
                return false;
            default:
                return true;
        }
    }

    private async ValueTask ServeAsync(LinkRequest request, EntityAddress address, CancellationToken cancellationToken)
    {
        if (address.Kind != EntityAddressKind.Management)
        {
            Context.IdleLinks.Watch(request, GetTarget(address));
        }

        try
        {
            if (Context.Faults.HasNoFaults || await IsServedAsync(request, address, cancellationToken))
            {
                await _service.ServeAsync(this, request, address, cancellationToken);
            }
        }
        finally
        {
            await _expiry.Value.ForgetAsync(request);
            await Context.IdleLinks.ForgetAsync(request);
        }
    }
}

/// <summary>Routes the links of one service. The synchronous part runs in order of arrival, before later frames are read.</summary>
internal interface IServiceLinks
{
    /// <summary>The service that owns the entity of an address.</summary>
    string GetService(EntityAddress address);

    ValueTask ServeAsync(PeerConnection peer, LinkRequest request, EntityAddress address, CancellationToken cancellationToken);
}
