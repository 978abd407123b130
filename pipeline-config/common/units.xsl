<?xml version="1.0" encoding="UTF-8"?>
<!-- The only table of units for the conversion of readings. Units are compared in lower case, without white space,
     degree signs and annotations in braces, so that {beats}/min is /min. The model's value is the document's value
     minus `minus`, times `times`, divided by `by`. -->
<xsl:stylesheet version="1.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform" xmlns:exsl="http://exslt.org/common" exclude-result-prefixes="exsl">
  <xsl:variable name="unit-table" select="exsl:node-set($unit-rows)"/>
  <!-- Rows are searched in a text, which is much faster than walking through them. -->
  <xsl:variable name="unit-lines"><xsl:for-each select="$unit-table/unit"><xsl:value-of select="concat('|', @of, ' ', @code, '=', @minus, ';', @times, ';', @by)"/></xsl:for-each>|</xsl:variable>
  <xsl:variable name="unit-text" select="string($unit-lines)"/>
  <xsl:variable name="reading-lines"><xsl:for-each select="$unit-table/reading"><xsl:value-of select="concat('|', @column, '=', @of)"/></xsl:for-each>|</xsl:variable>
  <xsl:variable name="reading-text" select="string($reading-lines)"/>
  <xsl:variable name="unit-rows">
    <!-- Readings of VitalSigns: what they measure, and the model's unit. -->
    <reading column="bp_systolic" of="pressure" unit="mm[Hg]"/>
    <reading column="bp_diastolic" of="pressure" unit="mm[Hg]"/>
    <reading column="bmi" of="bmi" unit="kg/m2"/>
    <reading column="heart_rate" of="rate" unit="{{beats}}/min"/>
    <reading column="height" of="length" unit="m"/>
    <reading column="oxygen_saturation" of="share" unit="%{{HemoglobinSaturation}}"/>
    <reading column="respiratory_rate" of="rate" unit="{{breaths}}/min"/>
    <reading column="temperature" of="temperature" unit="Cel"/>
    <reading column="weight" of="mass" unit="kg"/>

    <unit of="pressure" code="mm[hg]"/>
    <unit of="pressure" code="mmhg"/>
    <unit of="pressure" code="mm(hg)"/>
    <unit of="pressure" code="kpa" by="0.133322387415"/>
    <unit of="pressure" code="cm[h2o]" times="0.0980665" by="0.133322387415"/>
    <unit of="pressure" code="millimetersofmercury"/>
    <unit of="pressure" code="millimetresofmercury"/>
    <unit of="bmi" code="kg/m2"/>
    <unit of="bmi" code="kg/m^2"/>
    <unit of="bmi" code="kg/m*2"/>
    <unit of="bmi" code="kg/(m2)"/>
    <unit of="bmi" code="kg/sqm"/>
    <unit of="bmi" code="kg/sq.m"/>
    <unit of="bmi" code="1"/>
    <unit of="bmi" code=""/>
    <unit of="rate" code="/min"/>
    <unit of="rate" code="1/min"/>
    <unit of="rate" code="min-1"/>
    <unit of="rate" code="permin"/>
    <unit of="rate" code="bpm"/>
    <unit of="rate" code="rpm"/>
    <unit of="rate" code="beats/min"/>
    <unit of="rate" code="beats/minute"/>
    <unit of="rate" code="beatsperminute"/>
    <unit of="rate" code="breaths/min"/>
    <unit of="rate" code="breaths/minute"/>
    <unit of="rate" code="breathsperminute"/>
    <unit of="rate" code="br/min"/>
    <unit of="rate" code="resp/min"/>
    <unit of="rate" code="count/min"/>
    <unit of="rate" code="h.b/min"/>
    <unit of="rate" code="/s" times="60"/>
    <unit of="rate" code="hz" times="60"/>
    <unit of="rate" code="1"/>
    <unit of="rate" code=""/>
    <unit of="rate" code="/minute"/>
    <unit of="rate" code="perminute"/>
    <unit of="length" code="m"/>
    <unit of="length" code="cm" by="100"/>
    <unit of="length" code="mm" by="1000"/>
    <unit of="length" code="[in_i]" times="0.0254"/>
    <unit of="length" code="in_i" times="0.0254"/>
    <unit of="length" code="in" times="0.0254"/>
    <unit of="length" code="inch" times="0.0254"/>
    <unit of="length" code="inches" times="0.0254"/>
    <unit of="length" code="[in_us]" times="100" by="3937"/>
    <unit of="length" code="[in_br]" times="0.02539998"/>
    <unit of="length" code="[ft_i]" times="0.3048"/>
    <unit of="length" code="ft" times="0.3048"/>
    <unit of="length" code="feet" times="0.3048"/>
    <unit of="length" code="[ft_us]" times="1200" by="3937"/>
    <unit of="length" code="meter"/>
    <unit of="length" code="meters"/>
    <unit of="length" code="metre"/>
    <unit of="length" code="metres"/>
    <unit of="length" code="centimeter" by="100"/>
    <unit of="length" code="centimeters" by="100"/>
    <unit of="length" code="centimetre" by="100"/>
    <unit of="length" code="centimetres" by="100"/>
    <unit of="length" code="cms" by="100"/>
    <unit of="length" code="foot" times="0.3048"/>
    <unit of="share" code="%"/>
    <unit of="share" code="percent"/>
    <unit of="share" code="%o2"/>
    <unit of="share" code="%spo2"/>
    <unit of="temperature" code="cel"/>
    <unit of="temperature" code="c"/>
    <unit of="temperature" code="degc"/>
    <unit of="temperature" code="celsius"/>
    <unit of="temperature" code="[degf]" minus="32" times="5" by="9"/>
    <unit of="temperature" code="degf" minus="32" times="5" by="9"/>
    <unit of="temperature" code="f" minus="32" times="5" by="9"/>
    <unit of="temperature" code="fahrenheit" minus="32" times="5" by="9"/>
    <unit of="temperature" code="k" minus="273.15"/>
    <unit of="temperature" code="degreescelsius"/>
    <unit of="temperature" code="degreecelsius"/>
    <unit of="temperature" code="deg.c"/>
    <unit of="temperature" code="degreesc"/>
    <unit of="temperature" code="degreesfahrenheit" minus="32" times="5" by="9"/>
    <unit of="temperature" code="degreefahrenheit" minus="32" times="5" by="9"/>
    <unit of="temperature" code="deg.f" minus="32" times="5" by="9"/>
    <unit of="temperature" code="degreesf" minus="32" times="5" by="9"/>
    <unit of="mass" code="kg"/>
    <unit of="mass" code="kgs"/>
    <unit of="mass" code="g" by="1000"/>
    <unit of="mass" code="[lb_av]" times="0.45359237"/>
    <unit of="mass" code="lb_av" times="0.45359237"/>
    <unit of="mass" code="[lb_us]" times="0.45359237"/>
    <unit of="mass" code="lb" times="0.45359237"/>
    <unit of="mass" code="lbs" times="0.45359237"/>
    <unit of="mass" code="pound" times="0.45359237"/>
    <unit of="mass" code="pounds" times="0.45359237"/>
    <unit of="mass" code="[lb_tr]" times="0.3732417216"/>
    <unit of="mass" code="[oz_av]" times="0.028349523125"/>
    <unit of="mass" code="oz" times="0.028349523125"/>
    <unit of="mass" code="[stone_av]" times="6.35029318"/>
    <unit of="mass" code="kilogram"/>
    <unit of="mass" code="kilograms"/>
    <unit of="mass" code="kilogramme"/>
    <unit of="mass" code="kilo"/>
    <unit of="mass" code="kilos"/>
    <unit of="mass" code="kg."/>
    <unit of="mass" code="gram" by="1000"/>
    <unit of="mass" code="grams" by="1000"/>
    <unit of="mass" code="lb." times="0.45359237"/>
    <unit of="mass" code="lbs." times="0.45359237"/>
    <unit of="mass" code="ounce" times="0.028349523125"/>
    <unit of="mass" code="ounces" times="0.028349523125"/>
  </xsl:variable>

  <!-- The unit in the form in which it is compared. -->
  <xsl:template name="plain-unit">
    <xsl:param name="unit"/>
    <xsl:variable name="low" select="translate(normalize-space($unit), 'ABCDEFGHIJKLMNOPQRSTUVWXYZ&#xB2;&#xB0;&#xBA; ', 'abcdefghijklmnopqrstuvwxyz2')"/>
    <xsl:choose>
      <xsl:when test="contains($low, '{') and contains(substring-after($low, '{'), '}')">
        <xsl:value-of select="concat(substring-before($low, '{'), substring-after(substring-after($low, '{'), '}'))"/>
      </xsl:when>
      <xsl:otherwise><xsl:value-of select="$low"/></xsl:otherwise>
    </xsl:choose>
  </xsl:template>

  <!-- A number of the document in the model's unit of a reading, to four decimals; empty when the unit is not in the
       table. -->
  <xsl:template name="converted">
    <xsl:param name="column"/>
    <xsl:param name="number"/>
    <xsl:param name="unit"/>
    <xsl:variable name="plain"><xsl:call-template name="plain-unit"><xsl:with-param name="unit" select="$unit"/></xsl:call-template></xsl:variable>
    <xsl:variable name="of" select="substring-before(substring-after($reading-text, concat('|', $column, '=')), '|')"/>
    <xsl:variable name="row" select="substring-before(substring-after($unit-text, concat('|', $of, ' ', $plain, '=')), '|')"/>
    <xsl:if test="$row != ''">
      <xsl:variable name="factor" select="substring-before(substring-after($row, ';'), ';')"/>
      <xsl:variable name="divisor" select="substring-after(substring-after($row, ';'), ';')"/>
      <xsl:variable name="minus" select="number(concat('0', substring-before($row, ';')))"/>
      <xsl:variable name="times" select="number(concat($factor, substring('1', 1, $factor = '')))"/>
      <xsl:variable name="by" select="number(concat($divisor, substring('1', 1, $divisor = '')))"/>
      <xsl:value-of select="format-number(($number - $minus) * $times div $by, '0.####')"/>
    </xsl:if>
  </xsl:template>
</xsl:stylesheet>
