using System.Text.Json;
using EventHubThroughput.Lab.Results;
using EventHubThroughput.Settings;
using EventHubThroughput.Settings.Json;

namespace EventHubThroughput.Lab.Reporting;

/// <summary>Reads the result of an earlier comparison, to continue it or to compare with it.</summary>
internal static class EarlierComparison
{
    /// <summary>The most bytes of a result: a cell takes 20 to 40 KB, and a sweep has a few hundred of them.</summary>
    public const int LargestSize = 256 * 1024 * 1024;

    private const int Schema = 1;

    /// <param name="option">The option that names the file.</param>
    /// <param name="path">The file.</param>
    /// <exception cref="UsageException">It cannot be read, is not whole, is not a comparison, or has another version.</exception>
    public static ComparisonResult Read(string option, string path)
    {
        try
        {
            var json = NamedFile.Read($"{option} {path}", path, LargestSize);
            EnsureComparison(option, path, json);
            var result = ResultJson.Read<ComparisonResult>(json);
            return result is { Strategies.Count: > 0, Sentences.Count: > 0 }
                ? result
                : throw new UsageException($"{option} {path}: incomplete, without strategies or sentences");
        }
        catch (JsonException wrong)
        {
            throw new UsageException($"{option} {path}: incomplete, or not a result of compare: {JsonProblem.Of(wrong)}");
        }
    }

    // Checked before the rest is read: a file of another form lacks members, and an error about them would not help.
    private static void EnsureComparison(string option, string path, byte[] json)
    {
        using var document = JsonDocument.Parse(json);
        if (
            document.RootElement is not { ValueKind: JsonValueKind.Object } root
            || !root.TryGetProperty("comparison", out var header)
            || header.ValueKind != JsonValueKind.Object
        )
        {
            throw new UsageException($"{option} {path}: not a result of compare");
        }

        if (
            !header.TryGetProperty("schema", out var schema)
            || schema.ValueKind != JsonValueKind.Number
            || !schema.TryGetInt32(out var number)
            || number != Schema
        )
        {
            throw new UsageException($"{option} {path}: schema {NumberText.Shown(schema.ToString())}, this program reads {Schema}");
        }
    }
}
