using EventHubThroughput.Amqp.Codec;
using EventHubThroughput.Amqp.Framing;
using EventHubThroughput.Amqp.Tests.Codec;
using FsCheck;
using FsCheck.Fluent;

namespace EventHubThroughput.Amqp.Tests.Framing;

/// <summary>Generators of performatives, each field now and then absent.</summary>
internal static class AnyPerformative
{
    private static readonly Gen<bool> Flag = Gen.Elements(true, false);
    private static readonly Gen<uint> UInt = AnyValue.Bits.Select(bits => (uint)bits);
    private static readonly Gen<uint?> MaybeUInt = AnyValue.Optional(UInt);
    private static readonly Gen<ushort> UShort = AnyValue.Bits.Select(bits => (ushort)bits);
    private static readonly Gen<string?> MaybeText = AnyValue.OptionalOf(AnyValue.Text);
    private static readonly Gen<AmqpMap?> MaybeMap = AnyValue.OptionalOf(AnyValue.SymbolMap);
    private static readonly Gen<AmqpSymbol?> MaybeSymbol = AnyValue.Optional(AnyValue.Symbol);
    private static readonly Gen<AmqpSymbol[]?> MaybeSymbols = AnyValue.OptionalOf(Gen.Choose(0, 4).SelectMany(AnyValue.Symbol.ArrayOf));
    private static readonly Gen<ReadOnlyMemory<byte>?> MaybeBinary = AnyValue.Optional(AnyValue.Binary);
    private static readonly Gen<LinkRole> Role = Gen.Elements(LinkRole.Sender, LinkRole.Receiver);

    private static readonly Gen<ReceiverSettleMode?> MaybeReceiverMode = AnyValue.Optional(Gen.Elements(ReceiverSettleMode.First, ReceiverSettleMode.Second));

    private static readonly Gen<ReadOnlyMemory<byte>?> MaybeTag = MaybeBinary.Select(tag =>
        tag is { Length: > Transfer.MaxTagLength } ? tag.Value[..Transfer.MaxTagLength] : tag
    );

    private static readonly Gen<AmqpError?> MaybeError = AnyValue.OptionalOf(
        from condition in AnyValue.Symbol
        from description in MaybeText
        from info in MaybeMap
        select new AmqpError(condition, description, info)
    );

    private static readonly Gen<DeliveryState?> MaybeState = Gen.OneOf(
        Gen.Constant((DeliveryState?)null),
        Gen.Constant((DeliveryState?)Accepted.Instance),
        Gen.Constant((DeliveryState?)Released.Instance),
        MaybeError.Select(error => (DeliveryState?)new Rejected(error)),
        UInt.SelectMany(number => AnyValue.Bits.Select(offset => (DeliveryState?)new Received(number, offset))),
        from failed in Flag
        from undeliverable in Flag
        from annotations in MaybeMap
        select (DeliveryState?)
            new Modified
            {
                DeliveryFailed = failed,
                UndeliverableHere = undeliverable,
                MessageAnnotations = annotations,
            }
    );

    private static readonly Gen<Source?> MaybeSource = AnyValue.OptionalOf(
        from address in MaybeText
        from durable in UInt
        from policy in MaybeSymbol
        from timeout in UInt
        from dynamic in Flag
        from properties in MaybeMap
        from mode in MaybeSymbol
        from filter in MaybeMap
        from outcome in MaybeState
        from outcomes in MaybeSymbols
        from capabilities in MaybeSymbols
        select new Source
        {
            Address = address,
            Durable = durable,
            ExpiryPolicy = policy,
            Timeout = timeout,
            Dynamic = dynamic,
            DynamicNodeProperties = properties,
            DistributionMode = mode,
            Filter = filter,
            DefaultOutcome = outcome,
            Outcomes = outcomes,
            Capabilities = capabilities,
        }
    );

    private static readonly Gen<Target?> AnyNode = MaybeSource.Select(source =>
        source is null
            ? null
            : new Target
            {
                Address = source.Address,
                Durable = source.Durable,
                ExpiryPolicy = source.ExpiryPolicy,
                Timeout = source.Timeout,
                Dynamic = source.Dynamic,
                DynamicNodeProperties = source.DynamicNodeProperties,
                Capabilities = source.Capabilities,
            }
    );

    private static readonly Gen<Target?> MaybeTarget = Gen.Frequency(
        (9, AnyNode),
        (1, MaybeSymbols.Select(static symbols => (Target?)new Target { IsCoordinator = true, Capabilities = symbols }))
    );

    private static readonly Gen<Performative> Opens =
        from container in AnyValue.Text
        from host in MaybeText
        from size in UInt
        from channels in UShort
        from idle in MaybeUInt
        from symbols in MaybeSymbols.ListOf(4)
        from properties in MaybeMap
        select (Performative)
            new Open
            {
                ContainerId = container,
                HostName = host,
                MaxFrameSize = size,
                ChannelMax = channels,
                IdleTimeout = idle,
                OutgoingLocales = symbols[0],
                IncomingLocales = symbols[1],
                OfferedCapabilities = symbols[2],
                DesiredCapabilities = symbols[3],
                Properties = properties,
            };

    private static readonly Gen<Performative> Begins =
        from remote in AnyValue.Optional(UShort)
        from numbers in UInt.ListOf(4)
        from symbols in MaybeSymbols.ListOf(2)
        from properties in MaybeMap
        select (Performative)
            new Begin
            {
                RemoteChannel = remote,
                NextOutgoingId = numbers[0],
                IncomingWindow = numbers[1],
                OutgoingWindow = numbers[2],
                HandleMax = numbers[3],
                OfferedCapabilities = symbols[0],
                DesiredCapabilities = symbols[1],
                Properties = properties,
            };

    private static readonly Gen<Performative> Attaches =
        from name in AnyValue.Text
        from handle in UInt
        from role in Role
        from sender in AnyValue.Optional(Gen.Elements(SenderSettleMode.Unsettled, SenderSettleMode.Settled, SenderSettleMode.Mixed))
        from receiver in MaybeReceiverMode
        from source in MaybeSource
        from target in MaybeTarget
        from maps in MaybeMap.ListOf(2)
        from incomplete in Flag
        from count in MaybeUInt
        from size in AnyValue.Optional(AnyValue.Bits)
        from symbols in MaybeSymbols.ListOf(2)
        select (Performative)
            new Attach
            {
                Name = name,
                Handle = handle,
                Role = role,
                SndSettleMode = sender,
                RcvSettleMode = receiver,
                Source = source,
                Target = target,
                Unsettled = maps[0],
                IncompleteUnsettled = incomplete,
                InitialDeliveryCount = count,
                MaxMessageSize = size,
                OfferedCapabilities = symbols[0],
                DesiredCapabilities = symbols[1],
                Properties = maps[1],
            };

    private static readonly Gen<Performative> Flows =
        from numbers in UInt.ListOf(3)
        from link in MaybeUInt.ListOf(5)
        from drain in Flag
        from echo in Flag
        from properties in MaybeMap
        select (Performative)
            new Flow
            {
                NextIncomingId = link[0],
                IncomingWindow = numbers[0],
                NextOutgoingId = numbers[1],
                OutgoingWindow = numbers[2],
                Handle = link[1],
                DeliveryCount = link[2],
                LinkCredit = link[3],
                Available = link[4],
                Drain = drain,
                Echo = echo,
                Properties = properties,
            };

    private static readonly Gen<Performative> Transfers =
        from handle in UInt
        from numbers in MaybeUInt.ListOf(2)
        from tag in MaybeTag
        from flags in Flag.ListOf(5)
        from mode in MaybeReceiverMode
        from state in MaybeState
        select (Performative)
            new Transfer
            {
                Handle = handle,
                DeliveryId = numbers[0],
                DeliveryTag = tag,
                MessageFormat = numbers[1],
                Settled = flags[0],
                More = flags[1],
                RcvSettleMode = mode,
                State = state,
                Resume = flags[2],
                Aborted = flags[3],
                Batchable = flags[4],
            };

    private static readonly Gen<Performative> Dispositions =
        from role in Role
        from first in UInt
        from last in MaybeUInt
        from settled in Flag
        from state in MaybeState
        from batchable in Flag
        select (Performative)
            new Disposition
            {
                Role = role,
                First = first,
                Last = last,
                Settled = settled,
                State = state,
                Batchable = batchable,
            };

    private static readonly Gen<Performative> Endings = Gen.OneOf(
        UInt.SelectMany(handle =>
            Flag.SelectMany(closed =>
                MaybeError.Select(error =>
                    (Performative)
                        new Detach
                        {
                            Handle = handle,
                            Closed = closed,
                            Error = error,
                        }
                )
            )
        ),
        MaybeError.Select(error => (Performative)new End { Error = error }),
        MaybeError.Select(error => (Performative)new Close { Error = error })
    );

    public static Gen<Performative> Amqp { get; } = Gen.OneOf(Opens, Begins, Attaches, Flows, Transfers, Dispositions, Endings);

    public static Gen<Performative> Sasl { get; } =
        Gen.OneOf(
            Gen.Choose(0, 4).SelectMany(AnyValue.Symbol.ArrayOf).Select(symbols => (Performative)new SaslMechanisms { Mechanisms = symbols }),
            AnyValue.Symbol.SelectMany(mechanism =>
                MaybeBinary.SelectMany(response =>
                    MaybeText.Select(host =>
                        (Performative)
                            new SaslInit
                            {
                                Mechanism = mechanism,
                                InitialResponse = response,
                                HostName = host,
                            }
                    )
                )
            ),
            AnyValue.Binary.Select(bytes => (Performative)new SaslChallenge { Challenge = bytes }),
            AnyValue.Binary.Select(bytes => (Performative)new SaslResponse { Response = bytes }),
            Gen.Elements(Enum.GetValues<SaslCode>())
                .SelectMany(code => MaybeBinary.Select(data => (Performative)new SaslOutcome { Code = code, AdditionalData = data }))
        );
}
