using System.Collections;
using System.Reflection;
using EventHubThroughput.Amqp.Codec;

namespace EventHubThroughput.Amqp.Tests.Codec;

/// <summary>Deep equality of values and composites. Types must be equal too, since application values keep theirs.</summary>
internal static class Same
{
    public static bool Values(object? left, object? right) =>
        (left, right) switch
        {
            (null, null) => true,
            (null, _) or (_, null) => false,
            (ReadOnlyMemory<byte> a, ReadOnlyMemory<byte> b) => a.Span.SequenceEqual(b.Span),
            (AmqpMap a, AmqpMap b) => Sequences(a, b),
            (AmqpArray a, AmqpArray b) => a.ElementCode == b.ElementCode && Sequences(a.Items, b.Items),
            (AmqpDescribed a, AmqpDescribed b) => Values(a.Descriptor, b.Descriptor) && Values(a.Value, b.Value),
            (KeyValuePair<object, object?> a, KeyValuePair<object, object?> b) => Values(a.Key, b.Key) && Values(a.Value, b.Value),
            (AmqpComposite a, AmqpComposite b) => Members(a, b),
            (MessageBody a, MessageBody b) => Members(a, b),
            (AmqpMessage a, AmqpMessage b) => Members(a, b),
            (string, _) => left.Equals(right),
            (IEnumerable a, IEnumerable b) => a.GetType() == b.GetType() && Sequences(a, b),
            _ => left.Equals(right),
        };

    private static bool Sequences(IEnumerable left, IEnumerable right)
    {
        var a = left.Cast<object?>().ToArray();
        var b = right.Cast<object?>().ToArray();
        return a.Length == b.Length && a.Zip(b).All(pair => Values(pair.First, pair.Second));
    }

    private static bool Members(object left, object right) =>
        left.GetType() == right.GetType()
        && left.GetType().GetProperties(BindingFlags.Public | BindingFlags.Instance).All(property => Values(property.GetValue(left), property.GetValue(right)));
}
