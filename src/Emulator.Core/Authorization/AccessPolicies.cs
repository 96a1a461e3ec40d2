using System.Security.Cryptography;
using System.Text;
using EventHubThroughput.AzureProtocol;

namespace EventHubThroughput.Emulator.Authorization;

/// <summary>
/// All policies: that of the access key, which has every right, and those with fewer. The key of a policy follows from the access key, so that a restart with
/// the same access key keeps it.
/// </summary>
internal sealed class AccessPolicies(AccessKey root, IReadOnlyList<AccessPolicy> limited)
{
    /// <summary>The key of a policy, for connection strings only.</summary>
    public string RevealKeyOf(AccessPolicy policy) =>
        Convert.ToBase64String(HMACSHA256.HashData(Encoding.UTF8.GetBytes(root.Reveal()), Encoding.UTF8.GetBytes($"policy {policy.Name}")));

    /// <summary>Checks a token. The caller checks the audience.</summary>
    public SasVerdict Verify(string token, DateTimeOffset now, out string audience, out DateTimeOffset expiry, out AccessRights rights)
    {
        AccessPolicy? used = null;
        var verdict = SasToken.Verify(token, name => GetKey(name, out used), now, out audience, out expiry);
        rights = verdict == SasVerdict.Valid ? used?.Rights ?? AccessRights.All : AccessRights.None;
        return verdict;
    }

    /// <summary>The rights of a name and a key, as SASL PLAIN carries them. None if they do not belong together.</summary>
    public AccessRights GetRights(string name, string password)
    {
        if (GetKey(name, out var used) is not { } key)
        {
            return AccessRights.None;
        }

        return CryptographicOperations.FixedTimeEquals(Encoding.UTF8.GetBytes(password), Encoding.UTF8.GetBytes(key))
            ? used?.Rights ?? AccessRights.All
            : AccessRights.None;
    }

    private string? GetKey(string name, out AccessPolicy? used)
    {
        used = limited.FirstOrDefault(policy => policy.Name == name);
        return used is not null ? RevealKeyOf(used)
            : name == AccessKey.Name ? root.Reveal()
            : null;
    }
}
