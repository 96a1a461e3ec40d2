using System.Globalization;
using System.Text;

namespace EventHubThroughput.Workload;

/// <summary>
/// Creates bodies from a seed: the JSON object <c>{"index":812,"padding":"..."}</c> filled with random characters, or random bytes if the size is too
/// small for it. The same seed, size and index always give the same bytes.
/// </summary>
/// <param name="seed">The seed.</param>
/// <param name="sizes">The sizes of the bodies.</param>
public sealed class PayloadFactory(long seed, SizeMix sizes)
{
    private const string Alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    private const string End = "\"}";
    private const int BitsPerCharacter = 6;
    private const int CharactersPerDraw = 10;

    /// <summary>Creates bodies of one size.</summary>
    /// <param name="seed">The seed.</param>
    /// <param name="size">The size of every body in bytes, at least 0.</param>
    public PayloadFactory(long seed, int size)
        : this(seed, new SizeMix([(size, 1)])) { }

    /// <summary>The body of an event.</summary>
    /// <param name="index">The event's number in the run.</param>
    public byte[] Create(long index)
    {
        var size = sizes.SizeOf(seed, index);
        var body = new byte[size];
        var begin = Begin(index);
        if (!Fits(begin, size))
        {
            Fill(body, index, static bits => (byte)bits);
            return body;
        }

        Encoding.ASCII.GetBytes(begin, body);
        Fill(body.AsSpan(begin.Length, size - begin.Length - End.Length), index, static bits => (byte)Alphabet[(int)(bits & 63)]);
        Encoding.ASCII.GetBytes(End, body.AsSpan(size - End.Length));
        return body;
    }

    /// <summary>The content type of an event's body.</summary>
    /// <param name="index">The event's number in the run.</param>
    public string GetContentType(long index) => Fits(Begin(index), sizes.SizeOf(seed, index)) ? "application/json" : "application/octet-stream";

    private static string Begin(long index) => string.Create(CultureInfo.InvariantCulture, $"{{\"index\":{index},\"padding\":\"");

    private static bool Fits(string begin, int size) => begin.Length + End.Length <= size;

    private void Fill(Span<byte> target, long index, Func<ulong, byte> pick)
    {
        // A separate seed for each event, and one draw for ten characters.
        var own = (long)SeededDraw.Bits(seed, index);
        var bits = 0UL;
        for (var i = 0; i < target.Length; i++)
        {
            bits = i % CharactersPerDraw == 0 ? SeededDraw.Bits(own, i / CharactersPerDraw) : bits >> BitsPerCharacter;
            target[i] = pick(bits);
        }
    }
}
