namespace EventHubThroughput.Emulator.Authorization;

/// <summary>The rights of a shared access policy.</summary>
[Flags]
public enum AccessRights
{
    /// <summary>None.</summary>
    None = 0,

    /// <summary>Receive events and messages.</summary>
    Listen = 1,

    /// <summary>Send events and messages.</summary>
    Send = 2,

    /// <summary>Administer entities. Only the policy of the access key has it.</summary>
    Manage = 4,

    /// <summary>All of them.</summary>
    All = Listen | Send | Manage,
}

/// <summary>A shared access policy of both namespaces that has fewer rights than the access key.</summary>
/// <param name="Name">The name that tokens contain.</param>
/// <param name="Rights">What it permits.</param>
public sealed record AccessPolicy(string Name, AccessRights Rights)
{
    private const int LongestName = 50;

    /// <summary>The rights that a policy may have.</summary>
    public static IReadOnlyList<AccessRights> Allowed { get; } = [AccessRights.Listen, AccessRights.Send];

    /// <summary>The name of the variable with the credential of the policy.</summary>
    public string Variable => $"EMULATOR_POLICY_{Name.ToUpperInvariant().Replace('-', '_')}";

    /// <summary>Parses <c>NAME=Listen</c>, <c>NAME=Send</c> or <c>NAME=Listen+Send</c>.</summary>
    /// <param name="text">The text.</param>
    /// <param name="problem">What is wrong, or null.</param>
    /// <returns>The policy, or null.</returns>
    public static AccessPolicy? Parse(string text, out string? problem)
    {
        var parts = text.Split('=', 2);
        var name = parts[0];
        var rights = AccessRights.None;
        foreach (var right in parts.Length == 2 ? parts[1].Split('+') : [""])
        {
            var found = Allowed.FirstOrDefault(one => string.Equals(one.ToString(), right, StringComparison.OrdinalIgnoreCase));
            if (found == AccessRights.None)
            {
                problem = $"not of the form NAME=RIGHTS, allowed rights are {string.Join(", ", Allowed)}, joined by '+'";
                return null;
            }

            rights |= found;
        }

        problem =
            name.Length is 0 or > LongestName || !name.All(static letter => char.IsAsciiLetterOrDigit(letter) || letter == '-')
                ? $"not a name of a policy, allowed are up to {LongestName} letters, digits and '-'"
            : string.Equals(name, AccessKey.Name, StringComparison.OrdinalIgnoreCase) ? "the policy of the access key, which has all rights"
            : null;
        return problem is null ? new AccessPolicy(name, rights) : null;
    }
}
