using System.Globalization;
using System.Net;
using EventHubThroughput.Emulator.Entities;
using EventHubThroughput.Emulator.EventHubs;
using EventHubThroughput.Emulator.ServiceBus;
using EventHubThroughput.Settings;
using Microsoft.AspNetCore.Http;

namespace EventHubThroughput.Emulator.Administration.Atom;

/// <summary>
/// The management protocol of Service Bus, which the administration clients of the SDKs use: Atom over HTTP, with the entity as the path. Event Hubs serves its
/// consumer groups in the same way. A request is recognized by its version or its content type. A signature also counts where the rest of the administration
/// has no path.
/// </summary>
internal sealed class AtomRoutes(ServiceBusRegistry entities, EventHubRegistry hubs, DateTimeOffset started)
{
    private const string Namespace = "$namespaceinfo";
    private const string Resources = "$Resources";
    private const int PageSize = 100;
    private const int LargestPage = 1_000;

    public static bool Serves(HttpRequest request) =>
        request.Query.ContainsKey(AtomNames.VersionParameter)
        || request.ContentType?.StartsWith(AtomNames.ContentType, StringComparison.OrdinalIgnoreCase) == true;

    public async Task<AdminAnswer> AnswerAsync(HttpRequest request, string path, CancellationToken cancellationToken)
    {
        var body = await RequestBody.ReadAsync(request, cancellationToken);
        try
        {
            var answer = Answer(request, path, body);
            if (HttpMethods.IsPut(request.Method))
            {
                entities.LookForIdle();
            }

            return answer;
        }
        catch (UsageException exception)
        {
            return AtomAnswer.Fail(400, string.Join("; ", exception.Problems));
        }
        catch (AtomException exception)
        {
            return AtomAnswer.Fail(exception.Status, exception.Message);
        }
        catch (IOException exception)
        {
            return AtomAnswer.Fail(403, $"It could not be written: {exception.Message}");
        }
    }

    private static AdminAnswer NotFound(string path) => AtomAnswer.Fail(404, $"The messaging entity '{AtomText.Shown(path)}' could not be found.");

    private static AdminAnswer List(IAtomCollection collection, HttpRequest request, string address)
    {
        var (skip, top) = (Number(request, "$skip", 0, int.MaxValue), Number(request, "$top", PageSize, LargestPage));
        var self = $"{address}{request.Path.ToUriComponent()}";
        var all = collection.All.ToList();
        var next =
            top > 0 && all.Count - top > skip
                ? string.Create(CultureInfo.InvariantCulture, $"{self}?{GetVersion(request)}$skip={skip + top}&$top={top}")
                : null;
        return AtomAnswer.Feed(collection.Title, all.Skip(skip).Take(top), address, self, next);
    }

    private static string GetVersion(HttpRequest request) =>
        request.Query.TryGetValue(AtomNames.VersionParameter, out var version) ? $"{AtomNames.VersionParameter}={version}&" : string.Empty;

    private static int Number(HttpRequest request, string name, int instead, int most) =>
        request.Query[name].ToString() switch
        {
            "" => instead,
            var text when int.TryParse(text, NumberStyles.None, CultureInfo.InvariantCulture, out var number) => Math.Min(number, most),
            _ => throw new AtomException(400, $"'{name}' is not a number."),
        };

    private static AdminAnswer Create(IAtomCollection collection, string name, System.Xml.Linq.XElement description, string address) =>
        collection.Create(name, description) switch
        {
            CreateVerdict.Created when collection.Find(name) is { } entry => AtomAnswer.One(201, entry, address),
            CreateVerdict.Exists or CreateVerdict.Differs => AtomAnswer.Fail(409, $"Conflict. A messaging entity '{AtomText.Shown(name)}' exists already."),
            CreateVerdict.TooMany => AtomAnswer.Fail(403, $"The limit of entities is reached ({EntitySetReader.MostEntities})."),
            _ => NotFound(name),
        };

    private static AdminAnswer Put(HttpRequest request, Func<string, IAtomCollection?> find, string name, byte[] body, string address)
    {
        var description = AtomDocument.ReadDescription(body);
        if (find(description.Name.LocalName) is not { } collection)
        {
            return NotFound(name);
        }

        if (description.Name.LocalName != collection.Element)
        {
            return AtomAnswer.Fail(400, $"A '{AtomText.Shown(description.Name.LocalName)}' cannot be put here, but a '{collection.Element}'.");
        }

        if (request.Headers.IfMatch.Count == 0)
        {
            return Create(collection, name, description, address);
        }

        return collection.Change(name, description) && collection.Find(name) is { } entry ? AtomAnswer.One(200, entry, address) : NotFound(name);
    }

    private AdminAnswer Answer(HttpRequest request, string path, byte[] body)
    {
        var parts = GetParts(path);
        var isOfHub = parts.Length > 1 && Is(parts[1], ConsumerGroupCollection.Segment);
        if (AtomVersion.Fault(request, isOfHub ? AtomVersion.OldestOfHubs : AtomVersion.Oldest) is { } fault)
        {
            return AtomAnswer.Fail(400, fault);
        }

        var host = request.Host.HasValue
            ? request.Host.Value
            : new IPEndPoint(request.HttpContext.Connection.LocalIpAddress!, request.HttpContext.Connection.LocalPort).ToString();
        var address = $"{request.Scheme}://{host}";
        var name = parts.Length % 2 == 1 ? parts[^1] : null;
        if (Is(parts[0], Namespace) && parts.Length == 1)
        {
            return HttpMethods.IsGet(request.Method) ? AtomAnswer.One(200, NamespaceEntry(host), address) : NotAllowed(request, "GET");
        }

        IAtomCollection? Collection(string element) => Find(parts, host, element, new TopicCollection(entities, AtomVersion.HasFilterCounts(request)));
        switch (request.Method)
        {
            case "GET" or "HEAD" when name is null:
                return Collection(string.Empty) is { } all ? List(all, request, address) : NotFound(path);
            case "GET" or "HEAD":
                return Collection(string.Empty)?.Find(name) is { } entry ? AtomAnswer.One(200, entry, address) : NotFound(path);
            case "PUT" when name is not null:
                return Put(request, Collection, name, body, address);
            case "DELETE" when name is not null:
                return Collection(string.Empty)?.Delete(name) == true ? AdminAnswer.Empty(200) : NotFound(path);
            default:
                return NotAllowed(request, name is null ? "GET" : "DELETE, GET, PUT");
        }
    }

    private static AdminAnswer NotAllowed(HttpRequest request, string allowed) =>
        AtomAnswer.Fail(405, $"{request.Method} is not allowed here.") with
        {
            Allow = allowed,
        };

    // Queues and topics share their paths. In a PUT, the description decides between them. Otherwise the name does.
    private IAtomCollection? Find(string[] parts, string host, string element, TopicCollection topics)
    {
        if (parts.Length <= 2 && Is(parts[0], Resources))
        {
            return parts.Length == 1
                ? null
                : parts[1].ToUpperInvariant() switch
                {
                    "QUEUES" => new QueueCollection(entities, host),
                    "TOPICS" => topics,
                    _ => null,
                };
        }

        if (parts.Length == 1)
        {
            return element == "TopicDescription" || (element.Length == 0 && entities.FindTopic(parts[0]) is not null)
                ? topics
                : new QueueCollection(entities, host);
        }

        if (Is(parts[1], ConsumerGroupCollection.Segment))
        {
            return parts.Length <= 3 && hubs.FindPresent(parts[0]) is { } hub ? new ConsumerGroupCollection(hub) : null;
        }

        if (!Is(parts[1], SubscriptionCollection.Segment) || entities.FindTopic(parts[0]) is not { } topic)
        {
            return null;
        }

        return parts.Length switch
        {
            2 or 3 => new SubscriptionCollection(entities, topic, host),
            4 or 5 when Is(parts[3], RuleCollection.Segment) && topic.Find(parts[2]) is { } subscription => new RuleCollection(topic.Name, subscription),
            _ => null,
        };
    }

    private AtomEntry NamespaceEntry(string host) =>
        new(
            Namespace,
            host,
            started,
            started,
            DescriptionElements.Description(
                "NamespaceInfo",
                DescriptionElements.Of("CreatedTime", AtomText.Of(started)),
                DescriptionElements.Of("MessagingSKU", "Standard"),
                DescriptionElements.Of("ModifiedTime", AtomText.Of(started)),
                DescriptionElements.Of("Name", "emulator"),
                DescriptionElements.Of("NamespaceType", "Messaging")
            )
        );

    // The name of a queue or topic may have slashes. It ends at the end of the path, or at the word before its subscriptions or consumer groups.
    private static string[] GetParts(string path)
    {
        var parts = Array.ConvertAll(path.Trim('/').Split('/'), Uri.UnescapeDataString);
        if (Is(parts[0], Resources))
        {
            return parts;
        }

        var end = Array.FindIndex(parts, 1, static part => Is(part, SubscriptionCollection.Segment) || Is(part, ConsumerGroupCollection.Segment));
        return end < 0 ? [string.Join('/', parts)] : [string.Join('/', parts[..end]), .. parts[end..]];
    }

    private static bool Is(string part, string name) => string.Equals(part, name, StringComparison.OrdinalIgnoreCase);
}
