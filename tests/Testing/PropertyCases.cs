using System.Diagnostics.CodeAnalysis;
using System.Globalization;
using FsCheck;

namespace EventHubThroughput.Testing;

/// <summary>
/// How many cases each property is given and where they come from. Every property asks here. At a desk the cases differ each time. In CI they are the
/// same for the same code, so that a red build is red again. A failure prints the seed that <c>EHT_REPLAY</c> repeats.
/// </summary>
public static class PropertyCases
{
    private const ulong FixedSeed = 1;
    private const ulong FixedGamma = 1_234_567_891;

    /// <summary>As many cases as the budget allows.</summary>
    public static Config Usual => Times(1);

    /// <summary>More or fewer cases, for a property whose single case is very cheap or very dear.</summary>
    /// <param name="factor">The factor of the budget. At least one case is left.</param>
    public static Config Times(double factor) => Of(factor, Budget.Cases, Budget.IsCI, Environment.GetEnvironmentVariable("EHT_REPLAY"));

    /// <summary>The configuration for a budget, as CI or a desk has it.</summary>
    /// <exception cref="InvalidOperationException">The text to repeat a failure with is none.</exception>
    [SuppressMessage("ApiDesign", "RS0030:Do not use banned APIs", Justification = "Here, and nowhere else.")]
    public static Config Of(double factor, int cases, bool isCI, string? replay)
    {
        var config = Config.QuickThrowOnFailure.WithMaxTest(Math.Max(1, (int)(cases * factor)));
        if (string.IsNullOrEmpty(replay))
        {
            return isCI ? config.WithReplay(FixedSeed, FixedGamma) : config;
        }

        return
            replay.Trim('(', ')').Split(',') is [var first, var second]
            && ulong.TryParse(first, NumberStyles.None, CultureInfo.InvariantCulture, out var seed)
            && ulong.TryParse(second, NumberStyles.None, CultureInfo.InvariantCulture, out var gamma)
            ? config.WithReplay(seed, gamma)
            : throw new InvalidOperationException($"EHT_REPLAY '{replay}': not the two numbers that a failure prints, such as (123,457)");
    }
}
