using System.Collections.Frozen;
using System.Globalization;
using System.Xml.Linq;
using EventHubThroughput.Emulator.Entities;
using EventHubThroughput.Settings;
using EventHubThroughput.Settings.Json;

namespace EventHubThroughput.Emulator.Administration.Atom;

/// <summary>
/// Reads the description of a queue, topic or subscription. Properties that the emulator implements become settings, with the limits of a settings file.
/// Properties without effect are stored and returned. All others are refused by name.
/// </summary>
internal static class EntityDescription
{
    private const string DuplicateDetection = "RequiresDuplicateDetection";
    private const string DuplicateWindow = "DuplicateDetectionHistoryTimeWindow";
    private const string DefaultWindow = "10m";
    private const string DefaultLock = "1m";
    private const string LockDuration = "LockDuration";

    /// <summary>The most characters of the text of a user.</summary>
    public const int LongestMetadata = 1_024;
    private const int MostRules = 12;

    private static readonly TimeSpan ShortestIdle = TimeSpan.FromMinutes(5);

    // Read-only properties of an answer. Clients that change an entity send them back.
    private static readonly FrozenSet<string> KnownElements = FrozenSet.Create(
        StringComparer.Ordinal,
        "SizeInBytes",
        "MessageCount",
        "SubscriptionCount",
        "SqlFilterCount",
        "CorrelationFilterCount",
        "CreatedAt",
        "UpdatedAt",
        "AccessedAt",
        "CountDetails",
        "EntityAvailabilityStatus",
        "SkippedUpdate"
    );

    private static readonly FrozenDictionary<string, (string Member, Func<string, string?> Read)> Settings = new Dictionary<
        string,
        (string, Func<string, string?>)
    >
    {
        [LockDuration] = ("lockDuration", Duration),
        ["MaxDeliveryCount"] = ("maxDeliveryCount", static text => text),
        ["DefaultMessageTimeToLive"] = ("timeToLive", Limit),
        ["DeadLetteringOnMessageExpiration"] = ("deadLetterExpired", static text => text.ToLowerInvariant()),
        ["ForwardTo"] = ("forwardTo", GetEntity),
        ["ForwardDeadLetteredMessagesTo"] = ("forwardDeadLettersTo", GetEntity),
    }.ToFrozenDictionary();

    // The one value that is allowed, and the reason.
    private static readonly FrozenDictionary<string, (string Value, string Why)> Fixed = new Dictionary<string, (string, string)>
    {
        ["RequiresSession"] = ("false", "sessions are not supported here"),
        ["EnablePartitioning"] = ("false", "entities have no partitions here"),
        ["EnableSubscriptionPartitioning"] = ("false", "entities have no partitions here"),
        ["FilteringMessagesBeforePublishing"] = ("false", "not supported here"),
        ["IsAnonymousAccessible"] = ("false", "access is an option of the emulator"),
        ["Status"] = ("Active", "entities cannot be disabled here"),
        ["MaxMessageSizeInKilobytes"] = (string.Empty, "the limit of a message is an option of the emulator"),
    }.ToFrozenDictionary();

    // Returns the problem of a value, or null.
    private static readonly FrozenDictionary<string, Func<string, string?>> Kept = new Dictionary<string, Func<string, string?>>
    {
        ["UserMetadata"] = static text => text.Length <= LongestMetadata ? null : $"longer than {LongestMetadata} characters",
        ["MaxSizeInMegabytes"] = static text =>
            int.TryParse(text, NumberStyles.None, CultureInfo.InvariantCulture, out var size) && size > 0 ? null : "not a number of megabytes",
        [EntityMetadata.IdleName] = static text =>
            AtomText.TryRead(text, out var idle) && (idle is null || idle >= ShortestIdle) ? null : "not a duration of at least 5 minutes",
        [DescriptionElements.Rules] = static text => RulesFault(XElement.Parse(text)),
        ["EnableBatchedOperations"] = Flag,
        ["EnableExpress"] = Flag,
        ["SupportOrdering"] = Flag,
        ["DeadLetteringOnFilterEvaluationExceptions"] = Flag,
    }.ToFrozenDictionary();

    /// <summary>Returns the settings for <see cref="EntityReader"/>, and the values that are only stored.</summary>
    /// <exception cref="UsageException">A property has a value that is not allowed here.</exception>
    public static (SettingsDocument Settings, EntityMetadata Notes) Read(XElement description, params IReadOnlyCollection<string> readElsewhere)
    {
        var problems = new List<string>();
        var given = new Dictionary<string, string>(StringComparer.Ordinal);
        foreach (
            var element in description
                .Elements()
                .Where(element => !KnownElements.Contains(element.Name.LocalName) && !readElsewhere.Contains(element.Name.LocalName))
        )
        {
            var (name, text) = (element.Name.LocalName, GetText(element));
            if (!given.TryAdd(name, text))
            {
                problems.Add($"'{AtomText.Shown(name)}': given twice");
            }
            else if (Fault(name, text) is { } fault)
            {
                // A value with child elements may contain secrets.
                problems.Add(element.HasElements ? $"'{AtomText.Shown(name)}': {fault}" : $"'{AtomText.Shown(name)}' '{AtomText.Shown(text)}': {fault}");
            }
        }

        if (problems.Count > 0)
        {
            throw new UsageException([.. problems.Take(SettingsDocument.MostProblems)]);
        }

        // Without duplicate detection the window has no effect. It is stored for later reads, but does not become a setting.
        var isIdle = !IsTrue(given.GetValueOrDefault(DuplicateDetection));
        var kept = given
            .Where(pair => pair.Value.Length > 0 && (Kept.ContainsKey(pair.Key) || (isIdle && pair.Key == DuplicateWindow)))
            .ToDictionary(StringComparer.Ordinal);
        var members = GetMembers(given, hasLocks: description.Name.LocalName != "TopicDescription");
        return (SettingsDocument.OfQuery(members, "description"), new EntityMetadata { Kept = kept });
    }

    /// <summary>Refuses a change of duplicate detection. It is decided when an entity is created. Only its window can be changed.</summary>
    /// <exception cref="UsageException">The request differs from the entity.</exception>
    public static void RefuseOtherDuplicateDetection(string kind, TimeSpan? asked, TimeSpan? present)
    {
        if (asked is null != present is null)
        {
            throw new UsageException($"'RequiresDuplicateDetection': cannot be changed, delete the {kind} first");
        }
    }

    private static string GetText(XElement element) =>
        element.Name.LocalName != DescriptionElements.Rules ? element.Value.Trim()
        : element.Nodes().Any() ? element.ToString(SaveOptions.DisableFormatting)
        : string.Empty;

    private static string? RulesFault(XElement rules) =>
        rules.Nodes().Any(static node => node is not XElement { Name.LocalName: "AuthorizationRule" }) ? "not an AuthorizationRule"
        : rules.Nodes().Count() > MostRules ? $"more than {MostRules} rules"
        : null;

    private static IEnumerable<KeyValuePair<string, string>> GetMembers(Dictionary<string, string> given, bool hasLocks)
    {
        if (hasLocks && given.GetValueOrDefault(LockDuration) is not { Length: > 0 })
        {
            yield return KeyValuePair.Create("lockDuration", DefaultLock);
        }

        foreach (var (name, text) in given)
        {
            if (Settings.TryGetValue(name, out var setting) && text.Length > 0 && setting.Read(text) is { } value)
            {
                yield return KeyValuePair.Create(setting.Member, value);
            }
        }

        // The window alone has no effect.
        if (IsTrue(given.GetValueOrDefault(DuplicateDetection)))
        {
            yield return KeyValuePair.Create(
                "duplicateDetection",
                given.GetValueOrDefault(DuplicateWindow) is { Length: > 0 } window ? Duration(window) : DefaultWindow
            );
        }
    }

    private static string? Fault(string name, string text)
    {
        if (Fixed.TryGetValue(name, out var only))
        {
            return text.Length == 0 || string.Equals(text, only.Value, StringComparison.OrdinalIgnoreCase) ? null : only.Why;
        }

        if (Kept.TryGetValue(name, out var fault))
        {
            return text.Length == 0 ? null : fault(text);
        }

        return name switch
        {
            DuplicateDetection => Flag(text),
            LockDuration or "DefaultMessageTimeToLive" or DuplicateWindow => text.Length == 0 || AtomText.TryRead(text, out _)
                ? null
                : "not a duration, write PT30S",
            _ => Settings.ContainsKey(name) ? null : "not supported here",
        };
    }

    // The longest duration means no limit. The reader of the settings reports it.
    private static string Duration(string text) => Limit(text) ?? DurationText.Format(TimeSpan.MaxValue);

    // Null if there is no limit.
    private static string? Limit(string text) => AtomText.TryRead(text, out var duration) && duration is { } limited ? DurationText.Format(limited) : null;

    // Clients turn a name into an address.
    private static string GetEntity(string text) =>
        Uri.TryCreate(text, UriKind.Absolute, out var address) && address.Scheme is "sb" or "http" or "https"
            ? Uri.UnescapeDataString(address.AbsolutePath.Trim('/'))
            : text;

    private static string? Flag(string text) =>
        IsTrue(text) || string.Equals(text, "false", StringComparison.OrdinalIgnoreCase) ? null : "allowed true and false";

    private static bool IsTrue(string? text) => string.Equals(text, "true", StringComparison.OrdinalIgnoreCase);
}
