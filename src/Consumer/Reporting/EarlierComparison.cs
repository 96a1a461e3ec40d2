using System.Text.Json;
using EventHubThroughput.CommandLine;
using EventHubThroughput.Consumer.Results;

namespace EventHubThroughput.Consumer.Reporting;

/// <summary>Reads the result of an earlier comparison, to go on with it or to be held against it.</summary>
internal static class EarlierComparison
{
    private const int Schema = 1;

    /// <param name="option">The option that names the file.</param>
    /// <param name="path">The file.</param>
    /// <exception cref="UsageException">It cannot be read, is not whole, is no comparison, or one of another version.</exception>
    public static ComparisonResult Read(string option, string path)
    {
        try
        {
            var json = File.ReadAllBytes(path);
            EnsureComparison(option, path, json);
            return ResultJson.Read<ComparisonResult>(json);
        }
        catch (JsonException wrong)
        {
            throw new UsageException($"{option} {path}: not whole, or no result of compare: {wrong.Message}");
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException or NotSupportedException)
        {
            throw new UsageException($"{option} {path}: {UnreadableFile.WhyOf(path)}");
        }
    }

    // Said before the rest is read: a file of another form lacks members, which tells its reader nothing.
    private static void EnsureComparison(string option, string path, byte[] json)
    {
        using var document = JsonDocument.Parse(json);
        if (document.RootElement is not { ValueKind: JsonValueKind.Object } root || !root.TryGetProperty("comparison", out var header))
        {
            throw new UsageException($"{option} {path}: no result of compare");
        }

        if (!header.TryGetProperty("schema", out var schema) || schema.ValueKind != JsonValueKind.Number || schema.GetInt32() != Schema)
        {
            throw new UsageException($"{option} {path}: schema {schema}, this program reads {Schema}");
        }
    }
}
