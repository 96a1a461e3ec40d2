using System.Collections.Frozen;
using EventHubThroughput.Amqp.Codec;
using EventHubThroughput.Amqp.Framing;

namespace EventHubThroughput.Amqp.Codec;

/// <summary>The descriptors of all types that the protocol defines and this library supports.</summary>
internal static class Descriptor
{
    public const ulong Open = 0x10;
    public const ulong Begin = 0x11;
    public const ulong Attach = 0x12;
    public const ulong Flow = 0x13;
    public const ulong Transfer = 0x14;
    public const ulong Disposition = 0x15;
    public const ulong Detach = 0x16;
    public const ulong End = 0x17;
    public const ulong Close = 0x18;
    public const ulong Error = 0x1d;
    public const ulong Received = 0x23;
    public const ulong Accepted = 0x24;
    public const ulong Rejected = 0x25;
    public const ulong Released = 0x26;
    public const ulong Modified = 0x27;
    public const ulong Source = 0x28;
    public const ulong Target = 0x29;
    public const ulong Coordinator = 0x30;
    public const ulong TransactionalState = 0x34;
    public const ulong SaslMechanisms = 0x40;
    public const ulong SaslInit = 0x41;
    public const ulong SaslChallenge = 0x42;
    public const ulong SaslResponse = 0x43;
    public const ulong SaslOutcome = 0x44;

    private static readonly FrozenDictionary<string, ulong> Codes = new Dictionary<string, ulong>(StringComparer.Ordinal)
    {
        ["amqp:open:list"] = Open,
        ["amqp:begin:list"] = Begin,
        ["amqp:attach:list"] = Attach,
        ["amqp:flow:list"] = Flow,
        ["amqp:transfer:list"] = Transfer,
        ["amqp:disposition:list"] = Disposition,
        ["amqp:detach:list"] = Detach,
        ["amqp:end:list"] = End,
        ["amqp:close:list"] = Close,
        ["amqp:error:list"] = Error,
        ["amqp:received:list"] = Received,
        ["amqp:accepted:list"] = Accepted,
        ["amqp:rejected:list"] = Rejected,
        ["amqp:released:list"] = Released,
        ["amqp:modified:list"] = Modified,
        ["amqp:source:list"] = Source,
        ["amqp:target:list"] = Target,
        ["amqp:coordinator:list"] = Coordinator,
        ["amqp:transactional-state:list"] = TransactionalState,
        ["amqp:sasl-mechanisms:list"] = SaslMechanisms,
        ["amqp:sasl-init:list"] = SaslInit,
        ["amqp:sasl-challenge:list"] = SaslChallenge,
        ["amqp:sasl-response:list"] = SaslResponse,
        ["amqp:sasl-outcome:list"] = SaslOutcome,
        ["amqp:header:list"] = (ulong)SectionCode.Header,
        ["amqp:delivery-annotations:map"] = (ulong)SectionCode.DeliveryAnnotations,
        ["amqp:message-annotations:map"] = (ulong)SectionCode.MessageAnnotations,
        ["amqp:properties:list"] = (ulong)SectionCode.Properties,
        ["amqp:application-properties:map"] = (ulong)SectionCode.ApplicationProperties,
        ["amqp:data:binary"] = (ulong)SectionCode.Data,
        ["amqp:amqp-sequence:list"] = (ulong)SectionCode.Sequence,
        ["amqp:amqp-value:*"] = (ulong)SectionCode.Value,
        ["amqp:footer:map"] = (ulong)SectionCode.Footer,
    }.ToFrozenDictionary(StringComparer.Ordinal);

    /// <summary>The symbolic names and their numbers. A peer may write either.</summary>
    public static IReadOnlyDictionary<string, ulong> Names => Codes;

    public static bool TryGetCode(string name, out ulong code) => Codes.TryGetValue(name, out code);

    public static void Expect(ulong expected, ulong found)
    {
        if (expected != found)
        {
            throw Unexpected(found);
        }
    }

    public static AmqpException Unexpected(ulong found) => AmqpException.Decode($"The descriptor 0x{found:x} is not expected here.");
}
