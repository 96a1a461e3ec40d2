using System.Security.Cryptography;
using System.Text;
using EventHubThroughput.AzureProtocol;

namespace EventHubThroughput.Emulator.Authorization;

/// <summary>The one key of an emulator, under the name that Azure gives its own. Its text never appears in messages.</summary>
internal sealed class AccessKey(string text)
{
    public const string Name = "RootManageSharedAccessKey";

    private const int Bytes = 32;

    public static AccessKey CreateRandom() => new(Convert.ToBase64String(RandomNumberGenerator.GetBytes(Bytes)));

    /// <summary>For connection strings only.</summary>
    public string Reveal() => text;

    public byte[] Decode() => Convert.FromBase64String(text);

    public SasVerdict Verify(string token, DateTimeOffset now, out string audience, out DateTimeOffset expiry) =>
        SasToken.Verify(token, name => name == Name ? text : null, now, out audience, out expiry);

    /// <summary>Name and key themselves, as SASL PLAIN carries them.</summary>
    public bool Matches(string name, string password) =>
        name == Name && CryptographicOperations.FixedTimeEquals(Encoding.UTF8.GetBytes(password), Encoding.UTF8.GetBytes(text));

    public override string ToString() => "***";
}
