using System.Security.Cryptography;
using System.Text;
using EventHubThroughput.AzureProtocol;

namespace EventHubThroughput.Emulator.Authorization;

/// <summary>The access key of an emulator, under the name of Azure's default key. It has every right. Its text never appears in messages.</summary>
public sealed class AccessKey(string text)
{
    public const string Name = "RootManageSharedAccessKey";

    private const int Bytes = 32;

    /// <summary>Reads a base64 key from a file that only its owner can read.</summary>
    /// <exception cref="EmulatorException">The file is missing, other users can read it, or it holds no key.</exception>
    public static AccessKey ReadFile(string path) => KeyFile.Read(path);

    /// <summary>Creates a key of 32 random bytes.</summary>
    public static AccessKey CreateRandom() => new(Convert.ToBase64String(RandomNumberGenerator.GetBytes(Bytes)));

    /// <summary>The text of the key, for connection strings only.</summary>
    internal string Reveal() => text;

    internal byte[] Decode() => Convert.FromBase64String(text);

    internal SasVerdict Verify(string token, DateTimeOffset now, out string audience, out DateTimeOffset expiry) =>
        SasToken.Verify(token, name => name == Name ? text : null, now, out audience, out expiry);

    /// <summary>Compares name and key, as SASL PLAIN carries them.</summary>
    internal bool Matches(string name, string password) =>
        name == Name && CryptographicOperations.FixedTimeEquals(Encoding.UTF8.GetBytes(password), Encoding.UTF8.GetBytes(text));

    public override string ToString() => "***";
}
