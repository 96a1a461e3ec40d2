using EventHubThroughput.Settings;
using EventHubThroughput.Settings.Json;

namespace EventHubThroughput.Lab.Services;

/// <summary>The entities of a cell that the user has created. Nothing of them is deleted.</summary>
/// <param name="ConsumerGroup">The consumer group. Several cells may have the same one.</param>
/// <param name="Queue">The queue. Null with a topic.</param>
/// <param name="Topic">The topic. Null with a queue.</param>
/// <param name="Subscription">The subscription from which the messages of the topic are read back.</param>
/// <param name="Archive">The container of the events.</param>
/// <param name="Checkpoints">The container of ownerships and checkpoints.</param>
/// <param name="DeadLetters">The container of events that could not be written.</param>
internal sealed record ExistingCell(
    string ConsumerGroup,
    string? Queue,
    string? Topic,
    string? Subscription,
    string Archive,
    string Checkpoints,
    string DeadLetters
)
{
    /// <summary>Reads the file of <c>--entities</c>: <c>{ "cells": [ { "consumerGroup": ..., "queue": ..., "archive": ..., ... } ] }</c>.</summary>
    /// <param name="path">The file.</param>
    /// <exception cref="UsageException">It is missing, or malformed, or names an entity twice.</exception>
    public static IReadOnlyList<ExistingCell> Read(string path)
    {
        var document = SettingsDocument.ReadFile(path);
        var cells = document.Root.Require("cells")?.List() ?? [];
        HashSet<string> taken = new(StringComparer.OrdinalIgnoreCase);
        List<ExistingCell> read = [.. cells.Select(cell => cell.Group()).OfType<SettingGroup>().Select(cell => ReadCell(cell, taken)).OfType<ExistingCell>()];
        if (cells.Count == 0 && document.Root.Find("cells") is { } none)
        {
            none.Refuse("names no cell");
        }

        document.ThrowIfWrong();
        return read;
    }

    private static ExistingCell? ReadCell(SettingGroup cell, HashSet<string> taken)
    {
        string? Name(string member, string? kind)
        {
            if (cell.Require(member) is not { } value || value.Text() is not { } name)
            {
                return null;
            }

            if (kind is not null && !taken.Add($"{kind} {name}"))
            {
                value.Refuse("named twice, and each cell needs a separate one");
            }

            return name;
        }

        var hasTopic = cell.Find("topic") is not null;
        var group = Name("consumerGroup", kind: null);
        var queue = hasTopic ? null : Name("queue", "queue");
        var topic = hasTopic ? Name("topic", "topic") : null;
        var subscription = hasTopic ? Name("subscription", kind: null) : null;
        var (archive, checkpoints, deadLetters) = (Name("archive", "container"), Name("checkpoints", "container"), Name("deadLetters", "container"));
        return group is null || archive is null || checkpoints is null || deadLetters is null
            ? null
            : new ExistingCell(group, queue, topic, subscription, archive, checkpoints, deadLetters);
    }
}
