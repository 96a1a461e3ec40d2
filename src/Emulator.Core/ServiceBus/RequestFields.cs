using System.Globalization;
using EventHubThroughput.Amqp.Codec;
using EventHubThroughput.Amqp.Framing;
using EventHubThroughput.Emulator.Endpoints;
using EventHubThroughput.Emulator.Messages;

namespace EventHubThroughput.Emulator.ServiceBus;

/// <summary>Reads lists from the map of a request, and creates answers for missing ones.</summary>
internal static class RequestFields
{
    /// <summary>The most items of a request. The number of locks of a link and a page of a peek are below it.</summary>
    public const int MostItems = 4_500;

    /// <summary>An array or a list of one type. Null when it is absent, empty, too long or has items of another type.</summary>
    public static IReadOnlyList<T>? GetItems<T>(AmqpMap request, string field)
    {
        var items = request.Find(field) switch
        {
            AmqpArray array => array.Items,
            AmqpList list => list,
            _ => null,
        };
        return items is { Count: > 0 and <= MostItems } && items.All(static item => item is T) ? [.. items.Cast<T>()] : null;
    }

    /// <summary>Numbers, which clients encode in any width. Null when they are absent, empty, too many or of another type.</summary>
    public static IReadOnlyList<long>? GetNumbers(AmqpMap request, string field)
    {
        var items = GetItems<object>(request, field);
        return items is not null && items.All(static item => item is long or int or uint or short or ushort or sbyte or byte)
            ? [.. items.Select(static item => Convert.ToInt64(item, CultureInfo.InvariantCulture))]
            : null;
    }

    /// <summary>The first member with a value that is not supported. Null when there is none.</summary>
    public static string? GetUnknown(AmqpMap map, IReadOnlyCollection<string> known)
    {
        foreach (var (key, value) in map)
        {
            var name = key is AmqpSymbol symbol ? symbol.Value : key.ToString()!;
            if (value is not null && !known.Contains(name))
            {
                return name;
            }
        }

        return null;
    }

    public static Answer Unknown(string field) => new(400, $"The request's '{field}' is not supported here.", ErrorCondition.InvalidField);

    public static Answer Invalid(string field) => new(400, $"The request's '{field}' is missing or not supported.", ErrorCondition.InvalidField);
}
