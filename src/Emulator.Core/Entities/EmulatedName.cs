using System.Text.RegularExpressions;
using EventHubThroughput.Emulator.Blobs;

namespace EventHubThroughput.Emulator.Entities;

/// <summary>Names of hubs, queues, topics, subscriptions and consumer groups, with the rules of Azure.</summary>
public static partial class EmulatedName
{
    /// <summary>The group that every hub has. No other name may contain a dollar sign.</summary>
    public const string DefaultGroup = "$Default";

    // Segments that follow the name of an entity in an address.
    private static readonly string[] Reserved = ["Subscriptions", "Partitions", "ConsumerGroups"];

    /// <summary>The problem of the name of a hub or subscription, or null.</summary>
    public static string? Fault(string name) =>
        FaultOfAzure(name)
        ?? (Allowed().IsMatch(name) ? null : "not a name, allowed are up to 256 letters, digits, '.', '-', '_' with a letter or digit first and last");

    /// <summary>
    /// The problem of the name of a queue or topic, which may have parts, or null. The service also allows a tilde, which its documentation omits
    /// (Azure/azure-service-bus-emulator-installer, issue 134. Hashicorp/terraform-provider-azurerm, pull request 1640).
    /// </summary>
    public static string? PathFault(string name)
    {
        if (FaultOfAzure(name) is { } fault)
        {
            return fault;
        }

        if (!AllowedPath().IsMatch(name) || name.Contains("//", StringComparison.Ordinal))
        {
            return "not a name, allowed are up to 260 letters, digits, '.', '-', '_', '~' and single '/' with a letter or digit first and last";
        }

        return name.Split('/').FirstOrDefault(static part => Reserved.Contains(part, StringComparer.OrdinalIgnoreCase)) is { } word
            ? $"not a name, '{word}' has a special meaning in addresses"
            : null;
    }

    public static string? Problem(string option, string name, Func<string, string?> faultOf) =>
        faultOf(name) is { } fault ? $"{option} '{name}': {fault}" : null;

    /// <summary>The problem of the name of a consumer group, or null.</summary>
    public static string? GroupFault(string name) => name == DefaultGroup || Allowed().IsMatch(name) ? null : "not a name of a consumer group";

    /// <summary>The problem of the name of a container, or null.</summary>
    public static string? ContainerFault(string name) =>
        BlobNames.IsContainer(name) ? null : "not a container name, allowed are 3 to 63 lower-case letters, digits and single '-'";

    /// <summary>The groups of a hub that was created with these groups.</summary>
    public static IReadOnlyList<string> WithDefaultGroup(IReadOnlyList<string> groups) =>
        groups.Contains(DefaultGroup, StringComparer.OrdinalIgnoreCase) ? groups : [.. groups, DefaultGroup];

    public static string? ListProblem(string option, IReadOnlyList<string> names, Func<string, string?> faultOf)
    {
        if (names.Select(name => Problem(option, name, faultOf)).FirstOrDefault(static problem => problem is not null) is { } wrong)
        {
            return wrong;
        }

        return names.GroupBy(static name => name, StringComparer.OrdinalIgnoreCase).FirstOrDefault(static group => group.Count() > 1) is { } twice
            ? $"{option} '{twice.Key}': named twice"
            : null;
    }

    private static string? FaultOfAzure(string name) =>
        name.EndsWith(".windows.net", StringComparison.OrdinalIgnoreCase) ? "the emulator never talks to Azure" : null;

    [GeneratedRegex(
        "^[A-Za-z0-9]([A-Za-z0-9._~/-]{0,258}[A-Za-z0-9])?\\z",
        RegexOptions.ExplicitCapture | RegexOptions.CultureInvariant,
        matchTimeoutMilliseconds: 1000
    )]
    private static partial Regex AllowedPath();

    [GeneratedRegex(
        "^[A-Za-z0-9]([A-Za-z0-9._-]{0,254}[A-Za-z0-9])?\\z",
        RegexOptions.ExplicitCapture | RegexOptions.CultureInvariant,
        matchTimeoutMilliseconds: 1000
    )]
    private static partial Regex Allowed();
}
