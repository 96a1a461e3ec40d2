using EventHubThroughput.AzureProtocol;

namespace EventHubThroughput.Emulator.Authorization;

/// <summary>
/// The grants of one connection. A token grants its audience until it expires, with the rights of its policy. SASL PLAIN with name and key grants these rights
/// for every entity. Safe for several threads.
/// </summary>
/// <param name="policies">The policies that sign tokens.</param>
/// <param name="clock">The clock.</param>
/// <param name="everywhere">The rights that the connection has for every entity, without a token.</param>
internal sealed class ConnectionGrants(AccessPolicies policies, TimeProvider clock, AccessRights everywhere)
{
    // More audiences than a client has links. Beyond the limit the oldest grant is removed.
    private const int Limit = 1_024;

    private readonly Lock _gate = new();

    // Guarded by the gate.
    private readonly List<(Audience Audience, DateTimeOffset Expiry, AccessRights Rights)> _grants = [];

    /// <summary>Accepts a token for an audience. Returns null when it is valid, else the reason.</summary>
    public string? PutToken(string audience, string token)
    {
        if (everywhere != AccessRights.None)
        {
            return null;
        }

        var wanted = Audience.Parse(audience);
        if (Refuse(token, wanted, out var expiry, out var rights) is { } refusal)
        {
            return refusal;
        }

        lock (_gate)
        {
            _grants.RemoveAll(grant => grant.Audience == wanted);
            if (_grants.Count >= Limit)
            {
                _grants.RemoveAt(0);
            }

            _grants.Add((wanted, expiry, rights));
        }

        return null;
    }

    /// <summary>Whether one of the rights is granted for a path.</summary>
    public bool Allows(string path, AccessRights rights)
    {
        if (everywhere != AccessRights.None)
        {
            return (everywhere & rights) != AccessRights.None;
        }

        var now = clock.GetUtcNow();
        lock (_gate)
        {
            return _grants.Exists(grant => grant.Expiry > now && (grant.Rights & rights) != AccessRights.None && grant.Audience.CoversPath(path));
        }
    }

    /// <summary>When the last grant for a path expires. Null when it never does. In the past when there is none.</summary>
    public DateTimeOffset? GetExpiry(string path)
    {
        if (everywhere != AccessRights.None)
        {
            return null;
        }

        lock (_gate)
        {
            return _grants.Where(grant => grant.Audience.CoversPath(path)).Select(static grant => grant.Expiry).DefaultIfEmpty(DateTimeOffset.MinValue).Max();
        }
    }

    /// <summary>Checks a token that a request itself carries for a path. Returns null when it permits the path, else the reason.</summary>
    public string? Refuse(string token, string path) => everywhere != AccessRights.None ? null : Refuse(token, new Audience(string.Empty, path), out _, out _);

    private string? Refuse(string token, Audience wanted, out DateTimeOffset expiry, out AccessRights rights)
    {
        var verdict = policies.Verify(token, clock.GetUtcNow(), out var audience, out expiry, out rights);
        if (verdict != SasVerdict.Valid)
        {
            return TokenRefusal.GetText(verdict, expiry);
        }

        return Audience.Parse(audience).Covers(wanted) ? null : "InvalidAudience: The token is not for this entity.";
    }
}
